/** Deposits: the account's address on a network as text and QR code, and recent deposits. */
import { carried } from "../../pages/format.ts";
import { customerHistory as historyWords, customerDeposits as words } from "../../words/words.ts";
import { OFTEN_MS } from "../../pages/page-data.ts";
import {
  chosenOf,
  type Context,
  networkOf,
  useAccount,
  useCoins,
  useExchange,
  useManualNetworks,
  useSteps,
} from "../context.ts";
import { columnsOf, DeniedText, List, Pane } from "../../pages/pane.tsx";
import { CoinChoice } from "../elements.tsx";
import { hashOf } from "../place.ts";
import type { ManualNetwork, PendingDepositRow as DepositRow } from "@pricetime/server/answers";
import type { CoinAddress, CoinDeposit, CoinNetwork } from "@pricetime/protocol";
import type { Column } from "../../panels/data-table.tsx";
import { Copied, QrCode } from "../../pages/secret.tsx";

export const DEPOSITS = "/sapi/v1/capital/deposit/hisrec";

// Recent deposits. Until a deposit is final, its status shows the confirmations, refreshed while the page is open.

/** The columns of deposits, here and in the history. */
export function useDepositColumns(context: Context): readonly Column<CoinDeposit>[] {
  const manual = useManualNetworks(context) ?? [];
  const pending = useAccount<readonly DepositRow[]>(context, "deposits", { everyMs: OFTEN_MS }).value ?? [];
  const stepOf = useSteps(context);
  const column = columnsOf<CoinDeposit>(context);
  const isManual = (of: CoinDeposit): boolean => manual.some(({ network }) => network === of.network);
  const state = ({ status }: CoinDeposit): string => historyWords.depositStates(status);
  const stateOf = (row: CoinDeposit) => {
    const deposit = pending.find(({ id }) => id === row.id);
    if (deposit === undefined) return state(row);
    return isManual(row) ? receivedOf(deposit) : depthOf(deposit);
  };
  return [
    column.moment(words.time, ({ insertTime }) => insertTime),
    column.plain(words.coin, ({ coin }) => coin),
    column.plain(words.network, ({ network }) => network),
    column.amount(words.amount, ({ amount, coin, network }) => carried(amount, stepOf("depositStep", coin, network))),
    { label: historyWords.state, show: stateOf, text: state },
    column.long(words.transaction, ({ txId }) => txId),
  ];
}

const RECENT_ROWS = 10;

function RecentDeposits({ context }: { context: Context }) {
  const query = { limit: RECENT_ROWS };
  const deposits = useExchange<readonly CoinDeposit[]>(context, DEPOSITS, { everyMs: OFTEN_MS, query });
  return (
    <List
      title={words.recent}
      rows={deposits.value}
      denied={deposits.denied}
      empty={words.none}
      tools={<a href={hashOf("history", { kind: "deposits" })}>{words.all}</a>}
      keyOf={({ id }) => id}
      columns={useDepositColumns(context)}
    />
  );
}

/** The state of a deposit on a network without confirmations. */
const receivedOf = ({ isCredited }: DepositRow): string => (isCredited ? words.credited : words.received);

function depthOf({ confirmations, creditConfirmations, finalConfirmations, isCredited }: DepositRow) {
  const most = Math.max(1, finalConfirmations);
  const state = isCredited ? words.credited : words.seenOf(creditConfirmations);
  return (
    <span class="depth">
      <progress max={most} value={Math.min(confirmations, most)} aria-label={words.confirmations} />
      {confirmations}/{finalConfirmations} <span class="muted">{state}</span>
    </span>
  );
}

const isOpen = ({ depositEnable }: CoinNetwork): boolean => depositEnable;

export function DepositPage({ context }: { context: Context }) {
  const { params } = context.place.value;
  const coins = useCoins(context);
  const coin = chosenOf(coins.value ?? [], params["coin"] ?? "", isOpen);
  const network = networkOf(coin, params["network"] ?? "");
  const manual = useManualNetworks(context);
  const transfer = manual?.find((one) => one.network === network?.network);
  return (
    <>
      <Pane title={transfer === undefined ? words.address : words.transfer} denied={coins.denied}>
        <CoinChoice
          {...{ coin, network, words }}
          isManual={transfer !== undefined}
          page="deposit"
          coins={coins.value ?? []}
        />
        {coin !== undefined && network === undefined && <p class="padded warned">{words.noNetwork(coin.coin)}</p>}
        {coin !== undefined && network !== undefined && manual !== null && (
          <Address context={context} coin={coin.coin} network={network} transfer={transfer} />
        )}
      </Pane>
      <RecentDeposits context={context} />
    </>
  );
}

interface AddressProps {
  readonly context: Context;
  readonly coin: string;
  readonly network: CoinNetwork;
  /** The bank details; undefined if the network is a chain. */
  readonly transfer: ManualNetwork | undefined;
}

function Address({ context, coin, network, transfer }: AddressProps) {
  const isClosed = !network.depositEnable;
  const step = useSteps(context)("depositStep", coin, network.network);
  const path = isClosed ? null : "/sapi/v1/capital/deposit/address";
  const { value, denied } = useExchange<CoinAddress>(context, path, { query: { coin, network: network.network } });
  if (isClosed)
    return (
      <p class="padded warned" role="status">
        {words.closed(coin, network.network)} {network.depositDesc}
      </p>
    );
  if (value === null)
    return <div class="padded">{denied === null ? words.fetching : <DeniedText denied={denied} />}</div>;
  if (transfer !== undefined) return <BankAccount coin={coin} address={value} transfer={transfer} />;
  return (
    <div class="padded deposit-address">
      <QrCode text={value.address} label={words.codeOf(coin, network.network)} />
      <div class="stack">
        <Copied name="address" label={words.depositTo} value={value.address} />
        {value.tag !== "" && (
          <>
            <Copied name="tag" label={words.tag} value={value.tag} />
            <p class="warned">{words.tagNeeded}</p>
          </>
        )}
        <p>{words.only(coin, network.network)}</p>
        <p class="muted">{words.depth(network.minConfirm, network.unLockConfirm)}</p>
        {step !== undefined && <p class="muted">{words.step(step, coin)}</p>}
      </div>
    </div>
  );
}

/** The data of a bank transfer: the lines that the operator configured, the account, and the customer's reference. */
function BankAccount({ coin, address, transfer }: { coin: string; address: CoinAddress; transfer: ManualNetwork }) {
  return (
    <div class="padded stack bank-account">
      <p>{words.transferHelp(coin)}</p>
      {transfer.transferDetails.map(({ label, value }) => (
        <Copied key={label} name={`detail ${label}`} label={label} value={value} />
      ))}
      <Copied name="address" label={words.account} value={address.address} />
      {address.tag === "" ? (
        <p class="muted">{words.ownAccount}</p>
      ) : (
        <>
          <Copied name="tag" label={words.reference} value={address.tag} />
          <p class="warned">{words.referenceNeeded}</p>
        </>
      )}
      <p class="muted">{words.recordedByHand}</p>
    </div>
  );
}
