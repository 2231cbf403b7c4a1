/** Signals, private files and folder locks, for programs that run nodes as processes. */
export { type AdminFile, readAdminFile } from "../../platform/config/admin-file.ts";
export { keptMasterKey, makeMasterKey } from "../../platform/config/master-key.ts";
export { writePrivateFile } from "../../platform/config/private-file.ts";
export { V8_FLAGS } from "../start/program.ts";
export { machineSignals, untilStopSignal } from "../start/signals.ts";
export { FolderInUse, lockFolder } from "../../journal/storage/data-folder.ts";
export { MACHINE } from "../../platform/world/machine.ts";
