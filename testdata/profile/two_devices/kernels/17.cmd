scopes
