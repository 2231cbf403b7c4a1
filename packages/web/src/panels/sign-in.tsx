/** Sign-in with a demo account by one click, or with an API key, which is stored only in this tab. */
import type { DemoAccount, Refusal, Session } from "../account/port.ts";
import { shortName } from "../account/account.ts";
import { useSignal } from "@preact/signals";
import { terminalWords, signIn as words } from "../words/words.ts";
import type { TerminalContext } from "./page.ts";
import { bind, Button, onSubmitOf, Window } from "./controls.tsx";

// Converts any thrown value to a refusal.

function refusalOf(thrown: unknown): Refusal {
  if (typeof thrown !== "object" || thrown === null) return { code: null, message: String(thrown), isUnknown: false };
  const code: unknown = Reflect.get(thrown, "code");
  const message: unknown = Reflect.get(thrown, "message");
  return {
    code: typeof code === "number" ? code : null,
    message: typeof message === "string" ? message : String(thrown),
    isUnknown: Reflect.get(thrown, "isUnknown") === true,
  };
}

/** Runs a sign-in. Returns null if it succeeded, otherwise the reason. */
async function tryToSignIn(run: () => Promise<void>): Promise<string | null> {
  try {
    await run();
    return null;
  } catch (error) {
    const { code, message } = refusalOf(error);
    return words.refused(code, message);
  }
}

/** Buttons for the demo accounts. Renders nothing if there are none. */
export function DemoAccounts({ terminal, onDone }: { terminal: TerminalContext; onDone?: () => void }) {
  const problem = useSignal("");
  const signedInAs = terminal.account.session.value?.label;
  const accounts = terminal.account.demoAccounts.value.filter(({ name }) => shortName(name) !== signedInAs);
  const enter = async (account: DemoAccount): Promise<void> => {
    problem.value = (await tryToSignIn(() => terminal.account.signInToDemo(account))) ?? "";
    if (problem.value === "") onDone?.();
  };
  if (accounts.length === 0) return null;
  return (
    <div class="demo-accounts" role="group" aria-label={words.tradeAs}>
      <p class="muted">
        {words.demo} {words.tradeAs}
      </p>
      <div class="names">
        {accounts.map((account) => (
          // The promise never rejects: errors are shown.
          <Button
            key={account.name}
            aria-label={words.tradeAsName(shortName(account.name))}
            onClick={() => void enter(account)}
          >
            {shortName(account.name)}
          </Button>
        ))}
      </div>
      {problem.value !== "" && (
        <p class="refusal" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}

function KeyForm({ terminal, onDone }: { terminal: TerminalContext; onDone: () => void }) {
  const apiKey = useSignal("");
  const secretKey = useSignal("");
  const problem = useSignal("");
  const isBusy = useSignal(false);
  const enter = async (): Promise<void> => {
    isBusy.value = true;
    const [key, secret] = [apiKey.value.trim(), secretKey.value.trim()];
    problem.value = (await tryToSignIn(() => terminal.account.signIn(key, secret))) ?? "";
    isBusy.value = false;
    if (problem.value === "") onDone();
  };
  return (
    <form
      class="key-form"
      aria-label={words.byKey}
      autocomplete="off"
      onSubmit={onSubmitOf(() => void enter())} // The promise never rejects: errors are shown.
    >
      {(
        [
          [words.apiKey, apiKey, "text"],
          [words.secretKey, secretKey, "password"],
        ] as const
      ).map(([label, value, type]) => (
        <label key={label} class="field">
          <span class="name">{label}</span>
          <input
            {...(type === "password" ? { type } : { type: "text" as const })}
            class="words"
            autocomplete="off"
            autocapitalize="off"
            spellcheck={false}
            required
            {...bind(value)}
          />
        </label>
      ))}
      <p class="muted">{words.kept}</p>
      {problem.value !== "" && (
        <p class="refusal" role="alert">
          {problem}
        </p>
      )}
      <button type="submit" class="button primary" disabled={isBusy.value}>
        {words.go}
      </button>
    </form>
  );
}

function ByKey({ terminal, onDone }: { terminal: TerminalContext; onDone: () => void }) {
  return (
    <details class="by-key">
      <summary>{words.useKey}</summary>
      <KeyForm terminal={terminal} onDone={onDone} />
      <p class="muted">
        {words.noKey} <a href={`${terminal.base}/account/#/keys`}>{words.createKey}</a>
      </p>
    </details>
  );
}

/** The account pages that customers need most while they trade. */
const ACCOUNT_PAGES = ["overview", "deposit", "withdraw", "history", "security"] as const;

/** The menu of the signed-in account. An API key has no account pages: it may be that of a sub-account. */
function AccountMenu({
  terminal,
  session,
  onDone,
}: {
  terminal: TerminalContext;
  session: Session;
  onDone: () => void;
}) {
  const signOut = (): void => {
    onDone();
    // The promise never rejects: errors are shown.
    void terminal.account.signOut();
  };
  return (
    <>
      {session.isByKey ? (
        <p class="muted">{words.withKey}</p>
      ) : (
        <nav class="account-menu" aria-label={words.accountPages}>
          {ACCOUNT_PAGES.map((page) => (
            <a key={page} href={`${terminal.base}/account/#/${page}`}>
              {words.pages[page]}
            </a>
          ))}
        </nav>
      )}
      <Button onClick={signOut}>{session.isByKey ? words.forgetKey : terminalWords.signOut}</Button>
    </>
  );
}

/** The account pages sign in and lead back to the market. */
function ByPassword({ terminal }: { terminal: TerminalContext }) {
  const symbol = terminal.feed.market.value?.symbol;
  const back = symbol === undefined ? "" : `?market=${encodeURIComponent(symbol)}`;
  return (
    <p>
      <a class="button primary" href={`${terminal.base}/account/#/overview${back}`}>
        {words.byEmail}
      </a>
    </p>
  );
}

export function SignInWindow({ terminal }: { terminal: TerminalContext }) {
  const session = terminal.account.session.value;
  const close = (): void => {
    terminal.overlay.value = "none";
  };
  if (session !== null)
    return (
      <Window title={words.signedInAs(session.label)} onClose={close}>
        <div class="body">
          <AccountMenu terminal={terminal} session={session} onDone={close} />
          <DemoAccounts terminal={terminal} onDone={close} />
          {!session.isByKey && <ByKey terminal={terminal} onDone={close} />}
        </div>
      </Window>
    );
  return (
    <Window title={words.title} onClose={close}>
      <div class="body">
        <DemoAccounts terminal={terminal} onDone={close} />
        <ByPassword terminal={terminal} />
        <ByKey terminal={terminal} onDone={close} />
      </div>
    </Window>
  );
}
