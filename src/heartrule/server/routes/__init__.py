"""The API's routes, one router a noun."""
