/** The thread that renders the pages. It reads and renders all of them, sends them to the main thread, and exits. */
import { join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { openApiDescription, VENUE_INTERFACES, type VenueInterfaceName } from "@pricetime/protocol";
import {
  ACCOUNT_FILES,
  ACCOUNT_FOLDER,
  ASSET_FOLDERS,
  CONSOLE_FILES,
  CONSOLE_FOLDER,
  oneLevelDeeper,
  readAssets,
  readBuiltPage,
  TERMINAL_FILES,
} from "./assets.ts";
import { readTree, renderDocuments } from "./documents.ts";
import { renderMarkdown } from "./markdown.ts";
import type { PageSources, RenderedPages } from "./page-store.ts";

const port = parentPort;
if (port === null) throw new Error("this is the entry point of a worker thread");

const { terminalFolder: folder, branding } = workerData as PageSources;
const terminal = readBuiltPage(folder, { filesAt: TERMINAL_FILES, branding });
// Account pages are not cached, so that they cannot be reopened after the user has signed out.
const account = readBuiltPage(join(folder, ACCOUNT_FOLDER), {
  ...{ filesAt: ACCOUNT_FILES, branding, up: "../", keeping: "not at all" },
});
const tree = readTree(ASSET_FOLDERS.docs);
const guides = tree.sections.find(({ name }) => name === "guides")?.documents ?? [];
const proseOf = (name: VenueInterfaceName): string =>
  renderMarkdown(openApiDescription(VENUE_INTERFACES[name]), (target) => target).html;
const shelved: RenderedPages = {
  files: new Map([
    ...readAssets(),
    ...(terminal?.files ?? []),
    ...(account?.files ?? []),
    ...renderDocuments(ASSET_FOLDERS.docs, tree),
  ]),
  terminal: terminal?.page ?? null,
  market: terminal && oneLevelDeeper(terminal.page),
  account: account?.page ?? null,
  console: readBuiltPage(join(folder, CONSOLE_FOLDER), { filesAt: CONSOLE_FILES, branding }),
  guides: guides.map(({ path, title }) => ({ path, title })),
  prose: { "2019": proseOf("2019"), today: proseOf("today") },
};
port.postMessage(shelved);
