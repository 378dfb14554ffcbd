// Libpq is outside of the folders that are searched by themselves; CPostgres includes its header.
