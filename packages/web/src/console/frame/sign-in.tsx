/** Signing in: by name, password and code, or by the admin token and the name under which the journal shall know what is done. */
import { useSignal } from "@preact/signals";
import { consoleSays, consoleSignIn as words } from "../../words/words.ts";
import type { Desk } from "../desk.ts";
import { DeniedText } from "../../pages/denied-text.tsx";
import { type Denied, deniedOf } from "../../pages/denied.ts";
import { isOperator, isToken } from "../wire/session.ts";
import { Brand } from "../../pages/brand.tsx";
import { Entry } from "../draw/entry.tsx";

const WAYS = ["token", "name"] as const;

/** The node asks for a code, or did not like the one that was sent. */
const CODE_WORDS: readonly string[] = ["CODE_REQUIRED", "CODE_WRONG", "CODE_USED"];

export function SignIn({ desk }: { desk: Desk }) {
  // Who came by name before does so again; the admin token is for a venue's first day.
  const way = useSignal<(typeof WAYS)[number]>(desk.familiar.value.name === "" ? "token" : "name");
  return (
    <main class="sign-in">
      <div class="pane sign-in-pane">
        <h1>
          <Brand /> <span class="muted">{consoleSays.console}</span>
        </h1>
        <div class="ways" role="group" aria-label={words.way}>
          {WAYS.map((one) => (
            <button
              key={one}
              type="button"
              class="button"
              aria-pressed={way.value === one}
              onClick={() => {
                way.value = one;
              }}
            >
              {words.ways[one]}
            </button>
          ))}
        </div>
        {way.value === "token" ? <ByToken desk={desk} /> : <ByName desk={desk} />}
      </div>
    </main>
  );
}

function ByToken({ desk }: { desk: Desk }) {
  const token = useSignal("");
  const operator = useSignal("");
  const entering = useEntering(desk);
  const enter = (): void => {
    const wanted = { token: token.value.trim(), operator: operator.value.trim(), isNamed: false };
    const problem = !isToken(wanted.token) ? words.badToken : !isOperator(wanted.operator) ? words.badOperator : "";
    entering.begin(problem, () => desk.signIn(wanted));
  };
  return (
    <Way desk={desk} entering={entering} help={words.tokenHelp} onEnter={enter}>
      <Entry id="sign-in-token" label={words.token} value={token} isSecret />
      <Entry id="sign-in-operator" label={words.operator} value={operator} />
    </Way>
  );
}

function ByName({ desk }: { desk: Desk }) {
  const name = useSignal(desk.familiar.value.name);
  const password = useSignal("");
  const code = useSignal("");
  const entering = useEntering(desk);
  const needsCode = CODE_WORDS.includes(entering.denied?.code ?? "") || code.value !== "";
  const enter = (): void => {
    const wanted = { name: name.value.trim(), password: password.value };
    const isWhole = wanted.name !== "" && wanted.password !== "";
    const typed = code.value.trim();
    entering.begin(isWhole ? "" : words.incomplete, () =>
      desk.signInByName({ ...wanted, ...(typed !== "" && { code: typed }) }),
    );
  };
  return (
    <Way desk={desk} entering={entering} help={words.nameHelp} onEnter={enter}>
      <Entry id="sign-in-name" label={words.name} value={name} autocomplete="username" />
      <Entry id="sign-in-password" label={words.password} value={password} autocomplete="current-password" isSecret />
      {needsCode && (
        <Entry id="sign-in-code" label={words.code} value={code} autocomplete="one-time-code" isNumber isFirst />
      )}
    </Way>
  );
}

interface Entering {
  readonly isBusy: boolean;
  readonly problem: string;
  readonly denied: Denied | null;
  /** `problem` "": it is tried. */
  begin(problem: string, enter: () => Promise<void>): void;
}

/** One try after the other: what is wrong with the last one stands until the next. */
function useEntering(desk: Desk): Entering {
  const isBusy = useSignal(false);
  const problem = useSignal("");
  const denied = useSignal<Denied | null>(null);
  const attempt = async (enter: () => Promise<void>): Promise<void> => {
    isBusy.value = true;
    try {
      await enter();
    } catch (error) {
      denied.value = deniedOf(error);
    }
    isBusy.value = false;
  };
  return {
    isBusy: isBusy.value,
    problem: problem.value,
    denied: denied.value,
    begin: (wrong, enter) => {
      if (isBusy.value) return;
      problem.value = wrong;
      if (wrong !== "") denied.value = null;
      desk.dismissed.value = "";
      if (wrong === "") void attempt(enter); // Never rejects.
    },
  };
}

interface WayProps {
  readonly desk: Desk;
  readonly entering: Entering;
  readonly help: string;
  readonly onEnter: () => void;
  readonly children: preact.ComponentChildren;
}

function Way({ desk, entering: { isBusy, problem, denied }, help, onEnter, children }: WayProps) {
  return (
    <form
      aria-label={words.signIn}
      autocomplete="off"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onEnter();
      }}
    >
      {children}
      {problem !== "" && (
        <p class="refusal" role="alert">
          {problem}
        </p>
      )}
      {denied !== null && <DeniedText denied={denied} />}
      {desk.dismissed.value !== "" && (
        <p class="warned" role="status">
          {desk.dismissed.value}
        </p>
      )}
      <button type="submit" class="button primary" disabled={isBusy}>
        {words.signIn}
      </button>
      <p class="muted">{help}</p>
    </form>
  );
}
