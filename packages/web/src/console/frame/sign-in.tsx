/** Sign-in with name, password and code, or with the admin token, and the page of an operator's invitation. */
import { useSignal } from "@preact/signals";
import { consoleSays, consoleSignIn as words } from "../../words/words.ts";
import type { Desk } from "../desk.ts";
import type { Denied } from "../../pages/denied.ts";
import { isOperator, isToken, type Session } from "../wire/session.ts";
import { Brand } from "../../pages/brand.tsx";
import { Dismissed } from "../../pages/dismissed.tsx";
import { Field, Form, type FormProps } from "../../pages/form.tsx";
import { useSignInWorker, WorkShown } from "../../pages/work-shown.tsx";

const WAYS = ["token", "name"] as const;

/** The node asks for a code, or did not like the one that was sent. */
const CODE_WORDS: readonly string[] = ["CODE_REQUIRED", "CODE_WRONG", "CODE_USED"];

export function SignIn({ desk }: { desk: Desk }) {
  // Who came by name before does so again; the admin token is for a venue's first day.
  const way = useSignal<(typeof WAYS)[number]>(desk.familiar.value.name === "" ? "token" : "name");
  return (
    <main class="sign-in">
      <div class="pane">
        <h1>
          <Brand /> <span class="muted">{consoleSays.console}</span>
        </h1>
        <div class="ways" role="group" aria-label={words.method}>
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
              {words.methods[one]}
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
  const wanted = (): Session => ({ token: token.value.trim(), operator: operator.value.trim(), isNamed: false });
  const check = (): string => {
    desk.dismissed.value = "";
    return !isToken(wanted().token) ? words.badToken : !isOperator(wanted().operator) ? words.badOperator : "";
  };
  return (
    <Way desk={desk} help={words.tokenHelp} check={check} onSend={() => desk.signIn(wanted())}>
      <Field id="sign-in-token" label={words.token} value={token} type="password" />
      <Field id="sign-in-operator" label={words.operator} value={operator} />
    </Way>
  );
}

function ByName({ desk }: { desk: Desk }) {
  const name = useSignal(desk.familiar.value.name);
  const password = useSignal("");
  const code = useSignal("");
  const needsCode = useSignal(false);
  const { worker, progress } = useSignInWorker();
  const check = (): string => {
    desk.dismissed.value = "";
    return name.value.trim() === "" || password.value === "" ? words.incomplete : "";
  };
  const enter = (): Promise<void> => {
    const typed = code.value.trim();
    const wanted = { name: name.value.trim(), password: password.value };
    return worker.send((work) =>
      desk.signInByName({ ...wanted, ...(typed !== "" && { code: typed }), ...(work && { work }) }),
    );
  };
  const onDenied = (denied: Denied): boolean => {
    needsCode.value = CODE_WORDS.includes(denied.code) || code.value !== "";
    return false;
  };
  return (
    <Way desk={desk} help={words.nameHelp} check={check} onSend={enter} onDenied={onDenied}>
      <Field id="sign-in-name" label={words.name} value={name} autocomplete="username" />
      <Field
        id="sign-in-password"
        label={words.password}
        value={password}
        type="password"
        autocomplete="current-password"
      />
      {needsCode.value && (
        <Field
          id="sign-in-code"
          label={words.code}
          value={code}
          autocomplete="one-time-code"
          inputMode="numeric"
          isFirst
        />
      )}
      <WorkShown progress={progress} />
    </Way>
  );
}

interface WayProps extends Pick<FormProps, "check" | "onSend" | "onDenied" | "children"> {
  readonly desk: Desk;
  readonly help: string;
}

function Way({ desk, help, children, ...form }: WayProps) {
  return (
    <>
      <Form {...form} label={words.signIn} submit={words.signIn}>
        {children}
        <Dismissed why={desk.dismissed.value} />
      </Form>
      <p class="muted">{help}</p>
    </>
  );
}
