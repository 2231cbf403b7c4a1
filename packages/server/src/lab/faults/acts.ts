/** Faults that happen once: blocks that leave a sandbox's chain, a listen key that is over before its time. */
import { AdminRefusal } from "../../people/admin/answer.ts";
import type { SandboxControl } from "../../funds/wallet/control.ts";
import type { Wallet } from "../../funds/wallet/port.ts";
import { whatThereIs } from "../../people/admin/known-names.ts";
import type { FaultyNode } from "./port.ts";
import type { Act } from "./fault.ts";
import type { Performer } from "./fault-book.ts";
import { accountNamed } from "./names.ts";
import type { Struck } from "./rule.ts";

export function performer(parts: FaultyNode): Performer {
  return {
    check: (act) => {
      if (act.fault === "reorg") sandboxOf(act, parts);
      else accountNamed(parts.view, act.where.account);
    },
    perform: (act) => (act.fault === "reorg" ? reorg(act, parts) : expire(act, parts)),
  };
}

type Reorg = Extract<Act, { fault: "reorg" }>;

function reorg(act: Reorg, parts: FaultyNode): Omit<Struck, "atMs"> {
  const { network, sandbox } = sandboxOf(act, parts);
  const { height, hash } = sandbox.reorg(act.depth, act.fate);
  return { network, height, hash };
}

function sandboxOf({ where }: Reorg, { wallet }: FaultyNode): { network: string; sandbox: SandboxControl } {
  const network = where.network ?? onlySandbox(wallet());
  const sandbox = wallet().sandbox(network);
  if (sandbox === undefined) throw noSandbox(network, wallet());
  return { network, sandbox };
}

function sandboxes(wallet: Pick<Wallet, "networks">): string[] {
  return wallet
    .networks()
    .filter(({ kind }) => kind === "sandbox")
    .map(({ network }) => network);
}

function onlySandbox(wallet: Pick<Wallet, "networks">): string {
  const [first, ...others] = sandboxes(wallet);
  if (first !== undefined && others.length === 0) return first;
  throw new AdminRefusal(400, "BAD_REQUEST", `where.network: is missing. ${whatThereIs("", sandboxes(wallet))}`);
}

function noSandbox(network: string, wallet: Pick<Wallet, "networks">): AdminRefusal {
  const message = `There is no sandbox network ${network}. ${whatThereIs(network, sandboxes(wallet))}`;
  return new AdminRefusal(400, "UNKNOWN_NETWORK", message);
}

function expire(
  { where }: Extract<Act, { fault: "listen-key-expires" }>,
  { view, sequencer }: FaultyNode,
): Omit<Struck, "atMs"> {
  const { accountId } = accountNamed(view, where.account);
  const listenKey = view.listenKeyOf(accountId, sequencer.nowMs());
  if (listenKey === undefined) {
    throw new AdminRefusal(409, "NOT_POSSIBLE", `The account ${where.account} has no open listen key.`);
  }
  // The owner may close the key first, which is no error.
  sequencer.submit({ type: "closeListenKey", accountId, listenKey }, () => {});
  return { account: accountId };
}
