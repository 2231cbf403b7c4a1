/** The lists of one account: balances, open orders, API keys, addresses, sub-accounts and balance adjustments. */
import type {
  AccountBalance,
  Addresses,
  Adjustment,
  Key,
  OpenOrder,
  PlainAccount,
  WholeAccount,
} from "@pricetime/server/answers";
import type { Column } from "../../panels/data-table.tsx";
import { add, decimal, formatDecimal } from "../../exact/decimal.ts";
import { consoleAccounts, consoleAdjustments, consoleSays } from "../../words/words.ts";
import { bySeq, type Context, mayDo, PAGE_ROWS, SELDOM_MS, useFetched, usePaged } from "../context.ts";
import { AccountLink, Link, List, toAccount } from "../elements.tsx";
import { MoreRows, plain } from "../../pages/pane.tsx";
import { showAmount, showMoment, timeText } from "../../pages/format.ts";
import { accountPath } from "./account-data.tsx";

interface OfAccount {
  readonly context: Context;
  readonly account: string;
}

const amount = <Row,>(label: string, text: (row: Row) => string): Column<Row> => ({
  ...{ label, isNumber: true, text },
  show: (row) => showAmount(text(row)),
});

const balanceColumns: readonly Column<AccountBalance>[] = [
  plain(consoleAccounts.asset, ({ asset }) => asset),
  amount(consoleAccounts.free, ({ free }) => free),
  amount(consoleAccounts.locked, ({ locked }) => locked),
  amount(consoleAccounts.total, ({ free, locked }) => formatDecimal(add(decimal(free), decimal(locked)))),
];

export function BalanceList({ context, account }: { context: Context; account: WholeAccount }) {
  return (
    <List
      context={context}
      title={consoleAccounts.balances}
      name={`balances-${account.accountId}`}
      rows={account.balances}
      denied={null}
      columns={balanceColumns}
      keyOf={({ asset }) => asset}
      empty={consoleAccounts.noBalances}
    />
  );
}

const MOST_ORDERS_SHOWN = 1000;
const END_ORDER = "POST /v1/orders/{order}/end";

export function OrderList({ context, account, count }: OfAccount & { count: number }) {
  const path = `${accountPath(account)}/open-orders`;
  const { value, denied } = useFetched<readonly OpenOrder[]>(context, path, {
    query: { limit: MOST_ORDERS_SHOWN },
    everyMs: SELDOM_MS,
  });
  const columns: readonly Column<OpenOrder>[] = [
    plain(consoleAccounts.order, ({ orderId }) => String(orderId), true),
    {
      label: consoleAccounts.symbol,
      text: ({ symbol }) => symbol,
      show: ({ symbol }) => <Link to={{ page: "markets", subject: symbol }}>{symbol}</Link>,
    },
    plain(consoleAccounts.side, ({ side }) => side),
    plain(consoleAccounts.type, ({ type }) => type),
    amount(consoleAccounts.price, ({ price }) => price),
    amount(consoleAccounts.stopPrice, ({ stopPrice }) => stopPrice),
    amount(consoleAccounts.quantity, ({ quantity }) => quantity),
    amount(consoleAccounts.executed, ({ executed }) => executed),
    plain(consoleAccounts.clientOrderId, ({ clientOrderId }) => clientOrderId),
    {
      label: consoleAccounts.placed,
      text: ({ timeMs }) => timeText(timeMs),
      show: ({ timeMs }) => showMoment(context, timeMs),
    },
    {
      label: consoleSays.action,
      isActions: true,
      show: (order) =>
        mayDo(context, END_ORDER) && (
          <button
            type="button"
            class="link grave"
            aria-label={consoleAccounts.endOrderNumber(order.orderId)}
            onClick={() => {
              context.openForm.value = {
                key: END_ORDER,
                given: { order: String(order.orderId) },
                known: knownOf(order, account),
              };
            }}
          >
            {consoleAccounts.endOrder}
          </button>
        ),
    },
  ];
  return (
    <List
      {...{ context, denied, columns }}
      title={consoleAccounts.openOrders}
      name={`open-orders-${account}`}
      rows={value}
      keyOf={({ orderId }) => orderId}
      empty={consoleAccounts.noOrders}
      whole={{ path }}
      more={count > MOST_ORDERS_SHOWN && <p class="more">{consoleAccounts.moreOrders(MOST_ORDERS_SHOWN, count)}</p>}
    />
  );
}

/** The order's data in the confirmation. */
function knownOf(order: OpenOrder, account: string): Readonly<Record<string, string>> {
  return {
    [consoleAccounts.order]: String(order.orderId),
    [consoleAccounts.symbol]: order.symbol,
    [consoleAccounts.side]: order.side,
    [consoleAccounts.type]: order.type,
    [consoleAccounts.price]: order.price,
    [consoleAccounts.quantity]: order.quantity,
    [consoleAccounts.executed]: order.executed,
    [consoleAccounts.account]: account,
  };
}

const DELETE_KEY = "DELETE /v1/keys/{apiKey}";

export function KeyList({ context, account }: OfAccount) {
  const path = `${accountPath(account)}/keys`;
  const { value, denied } = useFetched<readonly Key[]>(context, path);
  const columns: readonly Column<Key>[] = [
    { label: consoleAccounts.key, text: ({ apiKey }) => apiKey, show: ({ apiKey }) => <code>{apiKey}</code> },
    plain(consoleAccounts.label, ({ label }) => label),
    plain(consoleAccounts.permissions, ({ permissions }) => permissions.join(", ")),
    plain(consoleAccounts.ips, ({ ipAllowList }) =>
      ipAllowList.length === 0 ? consoleAccounts.anywhere : ipAllowList.join(", "),
    ),
    plain(consoleAccounts.kind, ({ publicKey }) =>
      publicKey === undefined ? consoleAccounts.hmac : consoleAccounts.ed25519,
    ),
    {
      label: consoleAccounts.created,
      text: ({ createdMs }) => timeText(createdMs),
      show: ({ createdMs }) => showMoment(context, createdMs),
    },
    {
      label: consoleSays.action,
      isActions: true,
      show: ({ apiKey, label, permissions }) =>
        mayDo(context, DELETE_KEY) && (
          <button
            type="button"
            class="link grave"
            aria-label={consoleAccounts.deleteKey(apiKey)}
            onClick={() => {
              const known = {
                [consoleAccounts.key]: apiKey,
                [consoleAccounts.label]: label,
                [consoleAccounts.permissions]: permissions.join(", "),
                [consoleAccounts.account]: account,
              };
              context.openForm.value = { key: DELETE_KEY, given: { apiKey }, known };
            }}
          >
            {consoleAccounts.delete}
          </button>
        ),
    },
  ];
  return (
    <List
      {...{ context, denied, columns }}
      title={consoleAccounts.keys}
      name={`keys-${account}`}
      rows={value}
      keyOf={({ apiKey }) => apiKey}
      empty={consoleAccounts.noKeys}
      whole={{ path }}
    />
  );
}

export function AddressList({ context, account }: OfAccount) {
  const path = `${accountPath(account)}/addresses`;
  const { value, denied } = useFetched<Addresses>(context, path);
  const columns: readonly Column<Addresses["addresses"][number]>[] = [
    plain(consoleAccounts.network, ({ network }) => network),
    { label: consoleAccounts.address, text: ({ address }) => address, show: ({ address }) => <code>{address}</code> },
    plain(consoleAccounts.tag, ({ tag }) => tag),
    plain(consoleAccounts.name, ({ name }) => name),
  ];
  return (
    <List
      {...{ context, denied, columns }}
      title={consoleAccounts.addresses}
      name={`addresses-${account}`}
      rows={value?.addresses ?? null}
      keyOf={({ network, address, tag }) => `${network} ${address} ${tag}`}
      empty={consoleAccounts.noAddresses}
      whole={{ path }}
    />
  );
}

export function SubAccountList({ context, account }: OfAccount) {
  const path = `${accountPath(account)}/sub-accounts`;
  const { value, denied } = useFetched<readonly PlainAccount[]>(context, path);
  const columns: readonly Column<PlainAccount>[] = [
    {
      label: consoleAccounts.number,
      isNumber: true,
      text: ({ accountId }) => String(accountId),
      show: ({ accountId }) => <Link to={toAccount(accountId)}>{accountId}</Link>,
    },
    plain(consoleAccounts.email, ({ email }) => email),
    plain(consoleAccounts.name, ({ name }) => name),
  ];
  return (
    <List
      {...{ context, denied, columns }}
      title={consoleAccounts.subAccounts}
      name={`sub-accounts-${account}`}
      rows={value}
      keyOf={({ accountId }) => accountId}
      empty={consoleAccounts.noSubAccounts}
      whole={{ path }}
    />
  );
}

// Balance adjustments between customers and house accounts, newest first: of one account or of all.

const PATH = "/v1/adjustments";
const read = bySeq<Adjustment>;

interface Props {
  readonly context: Context;
  readonly title: string;
  readonly query: Readonly<Record<string, string>>;
}

export function AdjustmentList({ context, title, query }: Props) {
  const pageQuery = { ...query, limit: PAGE_ROWS };
  const { rows, denied, next, more } = usePaged(context, { path: PATH, query: pageQuery, read });
  return (
    <List
      {...{ context, title, rows, denied }}
      name="adjustments"
      columns={columnsOf(context)}
      keyOf={({ seq }) => seq}
      empty={consoleAdjustments.none}
      whole={{ path: PATH, query }}
      more={<MoreRows next={next} more={more} />}
    />
  );
}

function columnsOf(context: Context): Column<Adjustment>[] {
  return [
    {
      label: consoleAdjustments.time,
      text: ({ timeMs }) => timeText(timeMs),
      show: ({ timeMs }) => showMoment(context, timeMs),
    },
    {
      label: consoleAdjustments.account,
      text: ({ accountId }) => String(accountId),
      show: ({ accountId }) => <AccountLink account={accountId} />,
    },
    {
      label: consoleAdjustments.amount,
      isNumber: true,
      text: ({ amount }) => amount,
      show: ({ amount, asset }) => `${showAmount(amount)} ${asset}`,
    },
    // Only in the CSV file: the page shows the asset beside the amount.
    { label: consoleAdjustments.asset, text: ({ asset }) => asset },
    plain(consoleAdjustments.house, ({ house }) => house),
    plain(consoleAdjustments.category, ({ category }) => consoleAdjustments.categories[category] ?? category),
    plain(consoleAdjustments.reason, ({ why }) => why),
    plain(consoleAdjustments.reference, ({ reference }) => reference),
    plain(consoleAdjustments.by, ({ by }) => by),
  ];
}
