/** The external programs that a cluster needs, if this machine has them. */
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { UsageError } from "./arguments.ts";

/** Folders for programs that may be missing in an ordinary user's PATH. */
const MORE_FOLDERS = ["/usr/bin", "/usr/sbin", "/usr/local/bin", "/usr/local/sbin", "/opt/homebrew/bin"];

const NO_ETCD =
  "etcd is not installed. On Debian, run `apt-get install etcd-server`; elsewhere put the `etcd` binary of a release on the PATH";

/** Throws a message that explains how to install it. */
export function etcdProgram(folders: readonly string[] = searched()): string {
  const found = programIn(folders, "etcd");
  if (found === undefined) throw new UsageError(NO_ETCD);
  return found;
}

/** Undefined: the small built-in proxy is used instead. */
export function haproxyProgram(): string | undefined {
  return programIn(searched(), "haproxy");
}

function searched(): readonly string[] {
  return [...(process.env["PATH"] ?? "").split(delimiter), ...MORE_FOLDERS].filter((folder) => folder !== "");
}

function programIn(folders: readonly string[], name: string): string | undefined {
  return folders.map((folder) => join(folder, name)).find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
