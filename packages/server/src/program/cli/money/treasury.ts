/** `treasury`: assets and liabilities, requested from a node or computed from a data folder. */
import type { Treasury } from "../../../funds/proof/folder/port.ts";
import { treasuryAt } from "../../../funds/proof/folder/treasury.ts";
import type { NetworkHoldings } from "../../../people/admin/answers.ts";
import { MACHINE } from "../../../platform/world/machine.ts";
import { folderOf } from "../data-folder/folder-work.ts";
import type { Session } from "../session/session.ts";
import { CommandFailed, type Output, type Row } from "../session/terminal.ts";

interface TreasuryOptions {
  readonly at?: number;
  readonly flows?: boolean;
  readonly offline?: boolean;
  readonly data?: string;
}

/** A node adds the balances of its wallets. */
type ShownTreasury = Treasury & { readonly wallets?: readonly NetworkHoldings[] };

export async function showTreasury(session: Session, options: TreasuryOptions): Promise<void> {
  const { at, flows = false, offline, data } = options;
  if (offline === true) {
    const { paths } = folderOf(data, session.terminal);
    show(treasuryAt({ paths, world: MACHINE, at }, flows), session.output);
  } else {
    const query = new URLSearchParams({ ...(at !== undefined && { at: String(at) }), flows: String(flows) });
    show(await session.connection.call<ShownTreasury>("GET", `/v1/treasury?${query.toString()}`), session.output);
  }
}

/** Prints the treasury. Tables have a column per house account. */
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
