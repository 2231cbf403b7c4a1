/** For what a test loads into a process: the machine's uptime counts a sleep that there never was. */
import fs, { readFileSync } from "node:fs";
import os from "node:os";

/** Moves both sources that a program may have: Node's own, and Linux's file as it is read by `fs.readFileSync`. */
export function moveUptime(sleptMs: () => number): void {
  const { uptime } = os;
  os.uptime = () => uptime() + sleptMs() / 1000;
  fs.readFileSync = ((file: string, options: "latin1") => {
    const text = readFileSync(file, options);
    return file === "/proc/uptime" ? `${Number.parseFloat(text) + sleptMs() / 1000}` : text;
  }) as typeof fs.readFileSync;
}
