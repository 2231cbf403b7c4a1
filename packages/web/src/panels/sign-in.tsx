/** Sign-in with a demo account by one click, or with an API key, which is stored only in this tab. */
import type { DemoAccount, Refusal } from "../account/port.ts";
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

/** Shortens `alice@demo.pricetime` to `alice`. */
const shortName = (name: string): string => name.replace(/@.*$/, "");

/** Signs in. Returns null if it succeeded, otherwise the reason. */
async function tryToSignIn(
  terminal: TerminalContext,
  apiKey: string,
  secretKey: string,
  label?: string,
): Promise<string | null> {
  try {
    if (label === undefined) await terminal.account.signIn(apiKey, secretKey);
    else await terminal.account.signIn(apiKey, secretKey, label);
    return null;
  } catch (error) {
    const { code, message } = refusalOf(error);
    return words.refused(code, message);
  }
}

/** Buttons for the demo accounts. Renders nothing if there are none. */
export function DemoAccounts({ terminal, onDone }: { terminal: TerminalContext; onDone?: () => void }) {
  const problem = useSignal("");
  const accounts = terminal.account.demoAccounts.value;
  const enter = async ({ name, apiKey, secretKey }: DemoAccount): Promise<void> => {
    problem.value = (await tryToSignIn(terminal, apiKey, secretKey, shortName(name))) ?? "";
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
    problem.value = (await tryToSignIn(terminal, apiKey.value.trim(), secretKey.value.trim())) ?? "";
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
      <p>{words.byKey}</p>
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

export function SignInWindow({ terminal }: { terminal: TerminalContext }) {
  const session = terminal.account.session.value;
  const close = (): void => {
    terminal.overlay.value = "none";
  };
  return (
    <Window title={session === null ? words.title : words.signedInAs(session.label)} onClose={close}>
      <div class="body">
        {session !== null && (
          <Button
            onClick={() => {
              terminal.account.signOut();
              close();
            }}
          >
            {terminalWords.signOut}
          </Button>
        )}
        <DemoAccounts terminal={terminal} onDone={close} />
        {session === null && (
          <p>
            <a class="button" href={`${terminal.base}/account/`}>
              {words.byEmail}
            </a>{" "}
            <span class="muted">{words.byEmailHelp}</span>
          </p>
        )}
        {session === null && <KeyForm terminal={terminal} onDone={close} />}
        {session === null && (
          <p class="muted">
            {words.noKey} <a href={`${terminal.base}/account/#/keys`}>{words.createKey}</a>
          </p>
        )}
      </div>
    </Window>
  );
}
