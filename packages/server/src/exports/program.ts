/** What a program needs that runs nodes as processes: signals, private files, a folder's lock. */
export { type AdminFile, readAdminFile } from "../config/admin-file.ts";
export { keptMasterKey, makeMasterKey } from "../config/master-key.ts";
export { writePrivateFile } from "../config/private-file.ts";
export { toldByMachine, untilToldToStop } from "../start/signals.ts";
export { FolderInUse, lockFolder } from "../storage/folder-lock.ts";
export { MACHINE } from "../world/machine.ts";
