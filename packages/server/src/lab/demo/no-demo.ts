/** A node that is no demo: the keys that everybody knows open nothing there, whatever it was before. */
import type { Config } from "../../platform/config/config.ts";
import { withdrawDemoKeys } from "./accounts.ts";
import { removeDemoFile } from "./demo-file.ts";
import type { DemoNode } from "./operator.ts";
import type { Demo, NodeListing } from "./port.ts";

export class NoDemo implements Demo {
  readonly config: Config;
  readonly shown = null;
  readonly parts = [];
  readonly agents = undefined;

  constructor(config: Config) {
    this.config = config;
  }

  async listing(): Promise<NodeListing> {
    return this.config;
  }

  async open(node: DemoNode): Promise<readonly string[]> {
    const withdrawn = await withdrawDemoKeys(node);
    return withdrawn === 0 ? [] : ["keys of an earlier demo were deleted"];
  }

  start(): Promise<void> {
    return this.show();
  }

  async show(): Promise<void> {
    removeDemoFile(this.config.dataFolder);
  }

  kept(): null {
    return null;
  }

  async stop(): Promise<void> {}
}
