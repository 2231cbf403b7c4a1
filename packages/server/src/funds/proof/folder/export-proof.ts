/** Writes a proof's files for those who check it: the public part for everybody, and each customer's own part. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { makePrivateFolder } from "../../../platform/disk/private-file.ts";
import type { SignedStatement } from "../statement.ts";
import { customerFile } from "./kept-proofs.ts";
import { AuditRefused, PUBLIC_PART } from "./port.ts";
import { stateAt, type StateAtOptions } from "./state-at.ts";

export interface ExportOptions extends Pick<StateAtOptions, "paths" | "world"> {
  readonly dataFolder: string;
  readonly of: SignedStatement;
  readonly masterKey: string;
  /** The folder to write to; made when missing. */
  readonly to: string;
  /** Default: every customer. */
  readonly accountIds?: readonly number[] | undefined;
}

/** Throws `AuditRefused` and as `stateAt` does. */
export function exportProof(options: ExportOptions): { readonly customers: number; readonly bytes: number } {
  const { dataFolder, of, masterKey, to, accountIds, paths, world } = options;
  const { seq } = of.statement;
  const { engine } = stateAt({ paths, world, at: seq });
  const wanted = accountIds?.map((accountId) => {
    const account = engine.account(accountId);
    if (account === undefined)
      throw new AuditRefused("NO_SUCH_POSITION", `There is no account ${accountId} at entry ${seq}.`);
    return account;
  });
  makePrivateFolder(to);
  let [customers, bytes] = [0, 0];
  for (const account of wanted ?? engine.accounts()) {
    const text = customerFile(dataFolder, seq, account, masterKey);
    writeFileSync(join(to, `customer-${account.accountId}.json`), text, { mode: 0o600 });
    customers++;
    bytes += text.length;
  }
  writeFileSync(join(to, PUBLIC_PART), of.text, { mode: 0o644 });
  return { customers, bytes };
}
