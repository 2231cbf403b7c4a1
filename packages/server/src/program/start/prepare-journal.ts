/** Ensures, before a node serves, that the journal has the right rules, master key and listing. */
import { applyListing, checkListing } from "../../people/admin/listing.ts";
import { differsWarning } from "../../platform/config/listing-warnings.ts";
import type { DemoNode } from "../../lab/demo/operator.ts";
import type { Demo, DemoGateway } from "../../lab/demo/port.ts";
import { adoptNewestRules } from "../../journal/sequencer/adopt-rules.ts";
import { sharedSettings } from "../../platform/config/shared-settings.ts";
import { journalOrderLimits } from "./journal-order-limits.ts";
import { checkSettings, journalSettings } from "./journal-settings.ts";
import { bindMasterKey } from "./master-key.ts";

/** A node by the parts that its journal is prepared for. */
export interface PreparedNode {
  readonly node: DemoNode;
  readonly masterKey: string;
  /** Undefined where the node is alone. While a node of an `older` release runs, the rules stay those that it knows. */
  readonly cluster: { readonly older: { readonly node: string; readonly release: string } | undefined } | undefined;
  readonly demo: Demo;
  readonly gateway: DemoGateway;
}

/**
 * Resolves to what an operator should know of it. Rejects with `ListingRefused`, `ConfigError` and `NodeUnfit`,
 * and as `Sequencer.run` does.
 */
export async function prepareJournal({ node, masterKey, cluster, demo, gateway }: PreparedNode): Promise<string[]> {
  const { view, sequencer } = node;
  const { config } = demo;
  const older = cluster?.older;
  const settings = sharedSettings(config);
  if (cluster !== undefined && !config.adoptsSettings) checkSettings(settings, view);
  if (older === undefined) await adoptNewestRules(view, sequencer);
  await bindMasterKey(sequencer, view, masterKey, config.node);
  // An older release could not read them.
  const changed = older === undefined ? await journalSettings(sequencer, view, settings, config.node) : [];
  await journalOrderLimits(sequencer, view, config.limits.rules, config.node);
  const listing = await demo.listing(node);
  if (cluster !== undefined && !config.demo) checkListing(listing, view);
  const differing = await applyListing(listing, view, sequencer, config.lab !== null);
  const waiting = older && `newer rules stay off until node ${older.node}, which runs ${older.release}, is upgraded`;
  return [
    ...(waiting ? [waiting] : []),
    ...changed,
    ...differing.map(differsWarning),
    ...(await demo.open(node, gateway)),
  ];
}
