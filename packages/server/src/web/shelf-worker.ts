/** The thread that makes the pages: it reads and renders all of them, hands them over, and ends. */
import { parentPort, workerData } from "node:worker_threads";
import { OPENAPI_DESCRIPTION } from "@pricetime/protocol";
import { ASSET_FOLDERS, readAssets } from "./assets.ts";
import { renderDocuments } from "./docs/documents.ts";
import { renderMarkdown } from "./docs/markdown.ts";
import { readTree } from "./docs/tree.ts";
import type { Shelved } from "./shelf.ts";
import { readTerminal } from "./terminal.ts";

const port = parentPort;
if (port === null) throw new Error("this is the entry point of a worker thread");

const terminal = readTerminal(workerData as string);
const tree = readTree(ASSET_FOLDERS.docs);
const guides = tree.sections.find(({ name }) => name === "guides")?.documents ?? [];
const shelved: Shelved = {
  files: new Map([...readAssets(), ...(terminal?.files ?? []), ...renderDocuments(ASSET_FOLDERS.docs, tree)]),
  terminal: terminal?.page ?? null,
  guides: guides.map(({ path, title }) => ({ path, title })),
  prose: renderMarkdown(OPENAPI_DESCRIPTION, (target) => target).html,
};
port.postMessage(shelved);
