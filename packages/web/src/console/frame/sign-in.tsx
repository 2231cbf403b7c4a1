/** Sign-in with name, password and code or with the admin token, and the page of an operator's invitation. */
import { Button } from "../../panels/controls.tsx";
import { useSignal } from "@preact/signals";
import { consoleWords, consoleSignIn as words } from "../../words/words.ts";
import type { Context, LastOperator } from "../context.ts";
import type { Denied } from "../../pages/request.ts";
import { isOperator, isToken, type Session } from "../admin-client.ts";
import { BrandMark } from "../../pages/frame.tsx";
import {
  Field,
  Form,
  type FormProps,
  LEAST_PASSWORD_CHARACTERS,
  PasswordField,
  SignOutReason,
  TotpField,
  useSignInWorker,
  WorkShown,
} from "../../pages/form.tsx";
import { goTo, type Invitation } from "../place.ts";

const WAYS = ["token", "name"] as const;

/** Errors after which the form asks for a code: it is missing, wrong or already used. */
const CODE_WORDS: readonly string[] = ["CODE_REQUIRED", "CODE_WRONG", "CODE_USED"];

export function SignIn({ context }: { context: Context }) {
  // Sign-in by name is preselected if it was used before. Otherwise the admin token is preselected, as for setting up a
  // venue.
  const way = useSignal<(typeof WAYS)[number]>(context.lastOperator.value.name === "" ? "token" : "name");
  return (
    <main class="sign-in">
      <div class="pane">
        <h1>
          <BrandMark /> <span class="muted">{consoleWords.console}</span>
        </h1>
        <div class="ways" role="group" aria-label={words.method}>
          {WAYS.map((one) => (
            <Button key={one} aria-pressed={way.value === one} onClick={() => (way.value = one)}>
              {words.methods[one]}
            </Button>
          ))}
        </div>
        {way.value === "token" ? <ByToken context={context} /> : <ByName context={context} />}
      </div>
    </main>
  );
}

function ByToken({ context }: { context: Context }) {
  const token = useSignal("");
  const operator = useSignal("");
  const wanted = (): Session => ({ token: token.value.trim(), operator: operator.value.trim(), isNamed: false });
  const check = (): string => {
    context.signOutReason.value = "";
    return !isToken(wanted().token) ? words.badToken : !isOperator(wanted().operator) ? words.badOperator : "";
  };
  return (
    <Way context={context} help={words.tokenHelp} check={check} onSend={() => context.signIn(wanted())}>
      <Field id="sign-in-token" label={words.token} value={token} type="password" />
      <Field id="sign-in-operator" label={words.operator} value={operator} />
    </Way>
  );
}

function ByName({ context }: { context: Context }) {
  const name = useSignal(context.lastOperator.value.name);
  const password = useSignal("");
  const code = useSignal("");
  const needsCode = useSignal(false);
  const { worker, progress } = useSignInWorker();
  const check = (): string => {
    context.signOutReason.value = "";
    return name.value.trim() === "" || password.value === "" ? words.incomplete : "";
  };
  const enter = (): Promise<void> => {
    const typed = code.value.trim();
    const wanted = { name: name.value.trim(), password: password.value };
    return worker.send((work) =>
      context.signInByName({ ...wanted, ...(typed !== "" && { code: typed }), ...(work && { work }) }),
    );
  };
  const onDenied = (denied: Denied): boolean => {
    needsCode.value = CODE_WORDS.includes(denied.code) || code.value !== "";
    return false;
  };
  return (
    <Way context={context} help={words.nameHelp} check={check} onSend={enter} onDenied={onDenied}>
      <Field id="sign-in-name" label={words.name} value={name} autocomplete="username" />
      <PasswordField id="sign-in-password" label={words.password} value={password} />
      {needsCode.value && <TotpField id="sign-in-code" label={words.code} value={code} isFirst />}
      <WorkShown progress={progress} />
    </Way>
  );
}

interface WayProps extends Pick<FormProps, "check" | "onSend" | "onDenied" | "children"> {
  readonly context: Context;
  readonly help: string;
}

function Way({ context, help, children, ...form }: WayProps) {
  return (
    <>
      <Form {...form} label={words.signIn} submit={words.signIn}>
        {children}
        <SignOutReason
          why={context.signOutReason.value}
          isGood={context.signOutReason.value === words.accepted(context.lastOperator.value.name)}
        />
      </Form>
      <p class="muted">{help}</p>
    </>
  );
}

// The page opened by the link in an operator's invitation, where the operator chooses a password.

export function InvitationPage({ context, invitation }: { context: Context; invitation: Invitation }) {
  const password = useSignal("");
  const again = useSignal("");
  const check = (): string =>
    password.value.length < LEAST_PASSWORD_CHARACTERS
      ? words.tooShort(LEAST_PASSWORD_CHARACTERS)
      : password.value === again.value
        ? ""
        : words.mismatch;
  const accept = async (): Promise<void> => {
    const { name, mark } = await context.admin.ask<LastOperator>("POST", "/v1/accept-invitation", {
      body: { ...invitation, password: password.value },
    });
    context.session.value = null;
    context.lastOperator.value = { name, mark };
    context.signOutReason.value = words.accepted(name);
    goTo({ page: "overview" });
  };
  return (
    <main class="sign-in">
      <div class="pane">
        <h1>
          <BrandMark /> <span class="muted">{consoleWords.console}</span>
        </h1>
        <Form label={words.invitation} submit={words.accept} check={check} onSend={accept}>
          <p>{words.invitationHelp}</p>
          <PasswordField
            id="new-password"
            label={words.newPassword}
            value={password}
            isNew
            help={words.passwordHelp(LEAST_PASSWORD_CHARACTERS)}
          />
          <PasswordField id="new-password-again" label={words.repeat} value={again} isNew />
        </Form>
      </div>
    </main>
  );
}
