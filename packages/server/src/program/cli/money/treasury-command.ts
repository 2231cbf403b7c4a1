/** `treasury`: assets and liabilities of the venue, from a node, or recomputed from a data folder. */
import type { Command } from "commander";
import type { Treasury } from "../../../funds/proof/folder/port.ts";
import { treasuryAt } from "../../../funds/proof/folder/treasury.ts";
import type { HoldingsBody } from "../../../people/admin/proof-routes.ts";
import { MACHINE } from "../../../platform/world/machine.ts";
import { CommandFailed } from "../session/failure.ts";
import { folderOf } from "../data-folder/folder-commands.ts";
import type { Output, Row } from "../session/output.ts";
import { foreseen } from "../proof/proof-failure.ts";
import { action, wholeNumber } from "../session/session.ts";
import type { Terminal } from "../session/terminal.ts";

export function addTreasury(program: Command, terminal: Terminal): void {
  const treasury = program
    .command("treasury")
    .description("Compare, by asset, account balances with net deposits and wallet balances.")
    .option("--at <entry>", "Journal entry to compute the balances at (default: the newest)", wholeNumber)
    .option("--flows", "Include inflows and outflows by reason. Replays the whole journal")
    .option("--offline", "Compute from the data folder, without a running node");
  action(treasury, terminal, async (session, _, { at, flows, offline, data }) => {
    const isAsked = { at: at as number | undefined, withFlows: flows === true };
    const found =
      offline === true
        ? fromFolder(data as string | undefined, isAsked, terminal)
        : session.connection.call<ShownTreasury>("GET", pathOf(isAsked));
    show(await found, session.output);
  });
}

interface TreasuryQuestion {
  readonly at: number | undefined;
  readonly withFlows: boolean;
}

function pathOf({ at, withFlows }: TreasuryQuestion): string {
  const query = new URLSearchParams({ ...(at !== undefined && { at: String(at) }), flows: String(withFlows) });
  return `/v1/treasury?${query.toString()}`;
}

function fromFolder(data: string | undefined, { at, withFlows }: TreasuryQuestion, terminal: Terminal): Treasury {
  const { paths } = folderOf(data, terminal);
  return foreseen(() => treasuryAt({ paths, world: MACHINE, at }, withFlows));
}

/** What a node adds to the ledger's side. */
type ShownTreasury = Treasury & { readonly wallets?: readonly HoldingsBody[] };

/** Tables for people: a column for each house account. */
function show(treasury: ShownTreasury, output: Output): void {
  if (output.isJson) {
    output.one({ ...treasury });
  } else {
    const assets = treasury.assets.map(({ asset, customers, locked, leaving, house, net, difference }) => ({
      ...{ asset, customers, locked, leaving },
      ...{ ...house, net, difference },
    }));
    const flows = treasury.assets.flatMap(({ asset, flows: found }) => [
      ...Object.entries(found?.in ?? {}).map(([reason, amount]) => ({ asset, way: "in", reason, amount })),
      ...Object.entries(found?.out ?? {}).map(([reason, amount]) => ({ asset, way: "out", reason, amount })),
    ]);
    const wallets = treasury.wallets?.flatMap(({ network, wallets: held, error }): Row[] =>
      held === null
        ? [{ network, wallet: "", address: "", asset: "", amount: "", error }]
        : held.map((each) => ({ network, ...each })),
    );
    output.one({ ...treasury, assets, ...(flows.length > 0 && { flows }), ...(wallets !== undefined && { wallets }) });
  }
  if (!treasury.isBalanced) throw new CommandFailed("Account balances do not equal inflows minus outflows.");
}
