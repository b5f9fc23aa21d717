"""From scores and relevances, in rows or with the query of each document, to one order of all documents."""
