/** Makes a file of history look like one of an earlier version. */

/** The version of a history that is written today. */
export const NEWEST_VERSION = 7;

/** Reverts the changes after version 4. */
export const WITHOUT_LATER_TABLES = "DROP TABLE past_scales; ALTER TABLE transfers DROP COLUMN client_tran_id;";
