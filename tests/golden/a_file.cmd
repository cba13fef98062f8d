# testdata/arrays.jsonl
lt
