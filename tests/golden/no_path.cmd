#
lt
