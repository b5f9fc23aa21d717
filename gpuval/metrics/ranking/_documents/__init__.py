"""The documents of the queries of a ranking: what users give, in rows or with the query of each, as vectors."""
