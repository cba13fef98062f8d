scopes --depth 1
