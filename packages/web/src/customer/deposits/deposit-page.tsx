/** Coins that come in: the account's address on a network, as text and as a code, and what is on its way. */
import { Copied } from "../../pages/once.tsx";
import { DeniedText } from "../../pages/denied-text.tsx";
import { Pane } from "../../pages/pane.tsx";
import { customerDeposits as words } from "../../words/words.ts";
import { useAsked } from "../asked.ts";
import { chosenOf, networkOf, useCoins, useSteps } from "../coins.ts";
import type { Desk } from "../desk.ts";
import { CoinChoice } from "../draw/coin-choice.tsx";
import { QrCode } from "../../pages/qr.tsx";
import type { Network } from "../wire/exchange.ts";
import { ComingDeposits } from "./coming-deposits.tsx";

const isOpen = ({ depositEnable }: Network): boolean => depositEnable;

export function DepositPage({ desk }: { desk: Desk }) {
  const { asked } = desk.place.value;
  const coins = useCoins(desk);
  const coin = chosenOf(coins.value ?? [], asked["coin"] ?? "", isOpen);
  const network = networkOf(coin, asked["network"] ?? "");
  return (
    <>
      <Pane title={words.address} denied={coins.denied}>
        <CoinChoice page="deposit" coins={coins.value ?? []} coin={coin} network={network} words={words} />
        {coin !== undefined && network === undefined && <p class="padded warned">{words.noNetwork(coin.coin)}</p>}
        {coin !== undefined && network !== undefined && <Address desk={desk} coin={coin.coin} network={network} />}
      </Pane>
      <ComingDeposits desk={desk} />
    </>
  );
}

interface AddressAnswer {
  readonly address: string;
  readonly tag: string;
}

function Address({ desk, coin, network }: { desk: Desk; coin: string; network: Network }) {
  const isClosed = !network.depositEnable;
  const step = useSteps(desk)("depositStep", coin, network.network);
  const { value, denied } = useAsked(desk, isClosed ? null : `${coin} ${network.network}`, (wire) =>
    wire.exchange<AddressAnswer>("GET", "/sapi/v1/capital/deposit/address", { coin, network: network.network }),
  );
  if (isClosed)
    return (
      <p class="padded warned" role="status">
        {words.closed(coin, network.network)} {network.depositDesc}
      </p>
    );
  if (value === null)
    return <div class="padded">{denied === null ? words.fetching : <DeniedText denied={denied} />}</div>;
  return (
    <div class="padded deposit-address">
      <QrCode text={value.address} label={words.codeOf(coin, network.network)} />
      <div class="stack">
        <Copied name="address" value={value.address} />
        {value.tag !== "" && (
          <>
            <Copied name="tag" value={value.tag} />
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
