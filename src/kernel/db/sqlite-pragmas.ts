/**
 * The number of pages in the write-ahead log before a checkpoint, four times SQLite's default. Digests are
 * random, so their inserts change many different pages of an index. With a longer log, a page that changed
 * several times is copied only once.
 */
export const LOG_LENGTH = "wal_autocheckpoint=4000";
