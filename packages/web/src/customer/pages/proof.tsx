/** The account's part of the last published proof of liabilities, verified in the browser, and the venue's reserves. */
import { saveBlob } from "../../panels/save-table.ts";
import { Button } from "../../panels/controls.tsx";
import { Facts, List, Pane } from "../../pages/pane.tsx";
import { showAmount, showMoment } from "../../pages/format.ts";
import { type CheckedPublic, inDecimals } from "../../proof/check-proof.ts";
import { customerProof as words } from "../../words/words.ts";
import type { Context } from "../context.ts";
import type { Outcome } from "../proof-check.ts";

// Reserves minus liabilities by asset, as stated by the venue.

function ReservesPane({ statement, reserves }: CheckedPublic) {
  if (reserves === null) {
    return (
      <Pane title={words.reserves}>
        <p class="padded">{words.noReserves}</p>
      </Pane>
    );
  }
  const rows = statement.assets.map(({ asset, total, decimals }) => {
    const shown = reserves.assets.get(asset);
    const decimal = (units: bigint | undefined): string | null =>
      units === undefined ? null : inDecimals(String(units), decimals);
    const owed = inDecimals(total, decimals);
    return { asset, owed, held: decimal(shown?.held), surplus: decimal(shown?.surplus) };
  });
  const amount = (label: string, of: (row: (typeof rows)[number]) => string | null) => ({
    ...{ label, isNumber: true },
    text: (row: (typeof rows)[number]) => of(row) ?? words.noneShown,
    show: (row: (typeof rows)[number]) => {
      const decimal = of(row);
      if (decimal === null) return words.noneShown;
      return <span class={decimal.startsWith("-") ? "bad-text" : ""}>{showAmount(decimal)}</span>;
    },
  });
  return (
    <>
      <List
        title={words.reserves}
        name="reserves"
        rows={rows}
        denied={null}
        empty={words.noReserves}
        keyOf={({ asset }) => asset}
        columns={[
          { label: words.asset, show: ({ asset }) => asset, text: ({ asset }) => asset },
          amount(words.owed, ({ owed }) => owed),
          amount(words.held, ({ held }) => held),
          amount(words.surplus, ({ surplus }) => surplus),
        ]}
      />
      <p class="padded">{words.reservesAre(reserves.signed, reserves.said)}</p>
      <Facts rows={{ [words.reservesDigest]: <code>{reserves.digest}</code> }} />
    </>
  );
}

export function ProofPage({ context }: { context: Context }) {
  const { value } = context.proof;
  const again = (): void => void context.checkProof(); // The promise never rejects.
  return (
    <Pane title={words.title} tools={<Button onClick={again}>{words.again}</Button>}>
      {value === null ? (
        <p class="nothing" role="status">
          {words.checking}
        </p>
      ) : value.kind === "none" ? (
        <p class="nothing">
          {words.none} {words.notChecked}
        </p>
      ) : value.kind === "fault" ? (
        <p class="refusal padded" role="alert">
          {value.text} {words.notChecked}
        </p>
      ) : (
        <Holds context={context} outcome={value} />
      )}
      <Limits />
    </Pane>
  );
}

/** What a proof cannot show. This text is always shown, even if the proof is valid. */
function Limits() {
  return (
    <section aria-label={words.limits}>
      <h3 class="padded">{words.limits}</h3>
      <ul class="limits">
        {words.limitsAre.map((limit) => (
          <li key={limit}>{limit}</li>
        ))}
      </ul>
    </section>
  );
}

function Holds({ context, outcome }: { context: Context; outcome: Extract<Outcome, { kind: "holds" }> }) {
  const { statement, digest, publicKey } = outcome.checked;
  const { parts } = outcome;
  const decimalsOf = (asset: string): number => statement.assets.find((one) => one.asset === asset)?.decimals ?? 0;
  const amounts = parts.reduce((sum, { customer }) => sum + customer.holdings.length, 0);
  return (
    <>
      <p class="headline good" role="status">
        {words.holds(amounts, parts.length)}
      </p>
      <p class="padded">{words.checked}</p>
      <Facts
        rows={{
          [words.number]: String(statement.number),
          [words.time]: showMoment(context, statement.timeMs),
          [words.digest]: <code>{digest}</code>,
          [words.publicKey]: <code>{publicKey}</code>,
        }}
      />
      {parts.map(({ customer, text }) => (
        <section key={customer.accountId} aria-label={words.partOf(customer.email)}>
          <h3 class="padded">{words.partOf(customer.email)}</h3>
          {customer.holdings.length === 0 ? (
            <p class="padded">{words.nothing}</p>
          ) : (
            <Facts
              rows={Object.fromEntries(
                customer.holdings.map(({ asset, amount }) => [
                  asset,
                  showAmount(inDecimals(amount, decimalsOf(asset))),
                ]),
              )}
            />
          )}
          <p class="padded row-of">
            <Button onClick={() => saveBlob(`customer-${customer.accountId}.json`, new Blob([text]))}>
              {words.saveOwn(customer.email)}
            </Button>
          </p>
        </section>
      ))}
      <ReservesPane {...outcome.checked} />
      <p class="padded row-of">
        <Button onClick={() => saveBlob("public.jsonl", new Blob([outcome.publicText]))}>{words.savePublic}</Button>
        <a class="button" href="../assets/proof_check.py" download="proof_check.py">
          {words.script}
        </a>
      </p>
      <p class="padded">{words.scriptHelp}</p>
      <pre class="padded">
        {parts
          .map(({ customer }) => `python3 proof_check.py public.jsonl customer-${customer.accountId}.json`)
          .join("\n")}
      </pre>
    </>
  );
}
