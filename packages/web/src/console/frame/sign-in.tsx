/** Sign-in with name, password and code, or with the admin token, and the page of an operator's invitation. */
import { useSignal } from "@preact/signals";
import { consoleSays, consoleSignIn as words } from "../../words/words.ts";
import type { Desk, Familiar } from "../context.ts";
import type { Denied } from "../../pages/request.ts";
import { isOperator, isToken, type Session } from "../admin-client.ts";
import { Brand } from "../../pages/frame.tsx";
import {
  Dismissed,
  Field,
  Form,
  type FormProps,
  LEAST_PASSWORD_CHARACTERS,
  useSignInWorker,
  WorkShown,
} from "../../pages/form.tsx";
import { goTo, type Invitation } from "../place.ts";

const WAYS = ["token", "name"] as const;

/** The node requires a code, or rejected the one that was sent. */
const CODE_WORDS: readonly string[] = ["CODE_REQUIRED", "CODE_WRONG", "CODE_USED"];

export function SignIn({ desk }: { desk: Desk }) {
  // Preselects sign-in by name if the operator used it before. The admin token is for setting up a venue.
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

// The page behind the link in an operator's invitation, where the operator chooses a password.

export function InvitationPage({ desk, invitation }: { desk: Desk; invitation: Invitation }) {
  const password = useSignal("");
  const again = useSignal("");
  const check = (): string =>
    password.value.length < LEAST_PASSWORD_CHARACTERS
      ? words.tooShort(LEAST_PASSWORD_CHARACTERS)
      : password.value === again.value
        ? ""
        : words.mismatch;
  const accept = async (): Promise<void> => {
    const { name, mark } = await desk.admin.ask<Familiar>("POST", "/v1/accept-invitation", {
      body: { ...invitation, password: password.value },
    });
    desk.session.value = null;
    desk.familiar.value = { name, mark };
    desk.dismissed.value = words.accepted(name);
    goTo({ page: "overview" });
  };
  return (
    <main class="sign-in">
      <div class="pane">
        <h1>
          <Brand /> <span class="muted">{consoleSays.console}</span>
        </h1>
        <Form label={words.invitation} submit={words.accept} check={check} onSend={accept}>
          <p>{words.invitationHelp}</p>
          <Field
            id="new-password"
            label={words.newPassword}
            value={password}
            type="password"
            autocomplete="new-password"
          />
          <Field
            id="new-password-again"
            label={words.repeat}
            value={again}
            type="password"
            autocomplete="new-password"
          />
        </Form>
      </div>
    </main>
  );
}
