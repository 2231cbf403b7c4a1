/** Deposits: the account's address on a network as text and QR code, and pending deposits. */
import { customerDeposits as words } from "../../words/words.ts";
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
import type { CoinAddress, CoinNetwork } from "@pricetime/protocol";
import { Copied, QrCode } from "../../pages/secret.tsx";

// Pending deposits and their confirmations, refreshed while the page is open.

function PendingDeposits({ context }: { context: Context }) {
  const manual = useManualNetworks(context) ?? [];
  const isManual = (of: DepositRow): boolean => manual.some(({ network }) => network === of.network);
  const deposits = useAccount<readonly DepositRow[]>(context, "deposits", { everyMs: OFTEN_MS });
  const column = columnsOf<DepositRow>(context);
  return (
    <List
      title={words.coming}
      name="pending-deposits"
      rows={deposits.value}
      denied={deposits.denied}
      empty={words.noneComing}
      tools={<a href={hashOf("history", { kind: "deposits" })}>{words.all}</a>}
      keyOf={({ id }) => id}
      columns={[
        column.moment(words.time, ({ insertTimeMs }) => insertTimeMs),
        column.plain(words.coin, ({ asset }) => asset),
        column.plain(words.network, ({ network }) => network),
        column.amount(words.amount, ({ amount: units }) => units),
        {
          label: words.confirmations,
          show: (row) => (isManual(row) ? receivedOf(row) : depthOf(row)),
          text: (row) => (isManual(row) ? receivedOf(row) : confirmationsText(row)),
        },
        column.long(words.transaction, ({ txId }) => txId),
      ]}
    />
  );
}

const confirmationsText = ({ confirmations, finalConfirmations }: DepositRow): string =>
  `${confirmations}/${finalConfirmations}`;

/** The state of a deposit on a network without confirmations. */
const receivedOf = ({ isCredited }: DepositRow): string => (isCredited ? words.credited : words.received);

function depthOf(deposit: DepositRow) {
  const { confirmations, creditConfirmations, finalConfirmations, isCredited } = deposit;
  const most = Math.max(1, finalConfirmations);
  const state = isCredited ? words.credited : words.seenOf(creditConfirmations);
  return (
    <span class="depth">
      <progress max={most} value={Math.min(confirmations, most)} aria-label={words.confirmations} />
      {confirmationsText(deposit)} <span class="muted">{state}</span>
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
      <PendingDeposits context={context} />
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
