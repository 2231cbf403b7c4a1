// For `node --import`: what Node compiled of the sources is kept beside what npm has installed, so that a start, the first
// one aside, takes two thirds of the time. Where nobody may write there, nothing is kept.
import { enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";

enableCompileCache(fileURLToPath(new URL("../../../node_modules/.cache/compiled", import.meta.url)));
