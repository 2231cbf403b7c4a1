/**
 * The newest proof of liabilities: reserves minus liabilities, and the verification of a customer's part in the
 * browser.
 */
import { Choice, Entry, Field } from "../../pages/form.tsx";
import { onSubmitOf } from "../../panels/controls.tsx";
import { useSignal } from "@preact/signals";
import { consoleTreasury as words, proofFaults } from "../../words/words.ts";
import { type Context, useFetched } from "../context.ts";
import { Facts, Pane, plain } from "../../pages/pane.tsx";
import { showAmount, showMoment } from "../../pages/format.ts";
import { deniedOf } from "../../pages/request.ts";
import { type Checked, checkProof, inDecimals } from "../../proof/check-proof.ts";
import { ProofFault } from "../../proof/proof-files.ts";
import type { ProofSummary, ReservesOfAsset, ShownReserves } from "@pricetime/server/answers";
import type { Column } from "../../panels/data-table.tsx";
import { FormButton, List } from "../elements.tsx";

/** Maximum size of a file in bytes, far more than a public part with all assets. */
const MOST_FILE_BYTES = 5_000_000;

type Texts = () => Promise<readonly [publicPart: string, customerPart: string]>;

export function CheckPane({ context, proofs }: { context: Context; proofs: readonly ProofSummary[] }) {
  const checked = useSignal<Checked | null>(null);
  const problem = useSignal("");
  const isBusy = useSignal(false);
  // The promise never rejects.
  const check = async (texts: Texts): Promise<void> => {
    isBusy.value = true;
    checked.value = null;
    problem.value = "";
    try {
      checked.value = await checkProof(...(await texts()));
    } catch (error) {
      problem.value = problemOf(error);
    }
    isBusy.value = false;
  };
  return (
    <Pane title={words.check}>
      <div class="padded check">
        <OfNode context={context} proofs={proofs} isBusy={isBusy.value} check={check} />
        <OfFiles isBusy={isBusy.value} check={check} />
      </div>
      {problem.value !== "" && (
        <p class="refusal padded" role="alert">
          {problem.value}
        </p>
      )}
      {checked.value !== null && <Holds context={context} checked={checked.value} />}
    </Pane>
  );
}

function problemOf(error: unknown): string {
  if (error instanceof ProofFault) return proofFaults[error.fault](error.about);
  const { message, code } = deniedOf(error);
  return words.notChecked(message, code);
}

interface OfProps {
  readonly isBusy: boolean;
  readonly check: (texts: Texts) => Promise<void>;
}

function OfNode({ context, proofs, isBusy, check }: OfProps & { context: Context; proofs: readonly ProofSummary[] }) {
  const seq = useSignal("");
  const account = useSignal("");
  const chosen = seq.value === "" ? String(proofs[0]?.seq ?? "") : seq.value;
  const texts: Texts = async () => {
    const path = `/v1/proofs/${encodeURIComponent(chosen)}`;
    const [publicPart, customerPart] = await Promise.all([
      context.admin.askFile(path),
      context.admin.askFile(`${path}/accounts/${encodeURIComponent(account.value.trim())}`),
    ]);
    return Promise.all([textOf(publicPart), textOf(customerPart)]);
  };
  return (
    <form autocomplete="off" onSubmit={onSubmitOf(() => void check(texts))}>
      <p class="muted">{words.checkOfNode}</p>
      <Choice
        id="check-proof"
        label={words.proof}
        value={chosen}
        options={proofs.map((proof) => [String(proof.seq), words.proofAt(proof.number, proof.seq)])}
        onChoose={(value) => (seq.value = value)}
      />
      <Field id="check-account" label={words.account} value={account} />
      <button type="submit" class="button" disabled={isBusy || chosen === "" || account.value.trim() === ""}>
        {words.checkIt}
      </button>
    </form>
  );
}

function OfFiles({ isBusy, check }: OfProps) {
  const publicFile = useSignal<File | null>(null);
  const customerFile = useSignal<File | null>(null);
  const texts: Texts = () =>
    Promise.all([textOf(publicFile.value ?? new Blob()), textOf(customerFile.value ?? new Blob())]);
  return (
    <form onSubmit={onSubmitOf(() => void check(texts))}>
      <p class="muted">{words.checkOfFiles}</p>
      <FileEntry id="check-public" label={words.publicPart} onFile={(file) => (publicFile.value = file)} />
      <FileEntry id="check-customer" label={words.customerPart} onFile={(file) => (customerFile.value = file)} />
      <button
        type="submit"
        class="button"
        disabled={isBusy || publicFile.value === null || customerFile.value === null}
      >
        {words.checkFiles}
      </button>
    </form>
  );
}

async function textOf(file: Blob): Promise<string> {
  if (file.size > MOST_FILE_BYTES) throw new ProofFault("form");
  return file.text();
}

function FileEntry({ id, label, onFile }: { id: string; label: string; onFile: (file: File | null) => void }) {
  return (
    <Entry id={id} label={label}>
      <input id={id} type="file" onChange={({ currentTarget: { files } }) => onFile(files?.[0] ?? null)} />
    </Entry>
  );
}

function Holds({
  context,
  checked: { statement, digest, publicKey, customer },
}: {
  context: Context;
  checked: Checked;
}) {
  const decimalsOf = (asset: string): number => statement.assets.find((one) => one.asset === asset)?.decimals ?? 0;
  return (
    <section class="holds" aria-label={words.result}>
      <p class="headline good" role="status">
        {words.holds(customer.email, customer.holdings.length)}
      </p>
      <Facts
        rows={{
          [words.proof]: words.proofAt(statement.number, statement.seq),
          [words.time]: showMoment(context, statement.timeMs),
          [words.digest]: <code>{digest}</code>,
          [words.publicKey]: <code>{publicKey}</code>,
          ...Object.fromEntries(
            customer.holdings.map(({ asset, amount }) => [asset, showAmount(inDecimals(amount, decimalsOf(asset)))]),
          ),
        }}
      />
      <p class="muted padded">{words.holdsHelp}</p>
    </section>
  );
}

// Reserves minus liabilities, according to the newest proof.

const SHOW = "POST /v1/proofs/{seq}/reserves";

export function ReservesPane({ context, newest }: { context: Context; newest: ProofSummary }) {
  const path = `/v1/proofs/${newest.seq}/reserves`;
  const { value, denied } = useFetched<ShownReserves>(context, path);
  const isNone = value?.digest === null;
  const seq = String(newest.seq);
  const known = { [words.number]: String(newest.number), [words.entry]: seq };
  const signed = value?.reserves.filter(({ signature }) => signature !== "").length ?? 0;
  return (
    <>
      <Pane
        title={words.reserves}
        tools={
          isNone && (
            <FormButton context={context} form={{ key: SHOW, given: { seq }, known }} class="button">
              {words.addReserves}
            </FormButton>
          )
        }
      >
        <p class="padded">
          {isNone ? words.noReserves : words.reservesAre(signed, (value?.reserves.length ?? 0) - signed)}
        </p>
      </Pane>
      <List
        context={context}
        title={words.reservesLessOwed}
        name={`reserves-${newest.seq}`}
        rows={value?.assets ?? null}
        denied={denied}
        columns={columns}
        keyOf={({ asset }) => asset}
        empty={words.noAssets}
        whole={{ path }}
      />
    </>
  );
}

const shown = (label: string, of: (row: ReservesOfAsset) => string | null): Column<ReservesOfAsset> => ({
  ...{ label, isNumber: true },
  text: (row) => of(row) ?? words.noneShown,
  show: (row) => {
    const amount = of(row);
    if (amount === null) return words.noneShown;
    return <span class={amount.startsWith("-") ? "bad-text" : ""}>{showAmount(amount)}</span>;
  },
});

const columns: readonly Column<ReservesOfAsset>[] = [
  plain(words.asset, ({ asset }) => asset),
  shown(words.owed, ({ owed }) => owed),
  shown(words.reserves, ({ reserves }) => reserves),
  shown(words.surplus, ({ surplus }) => surplus),
];
