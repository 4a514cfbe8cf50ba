import type { StepUpFactor } from "../../sessions/authentication-methods";
import type { RequestedFactor } from "../../sessions/sign-in-path";

/** The texts of the re-authentication page for each factor that a client can request. */
const TEXTS: Readonly<
  Record<StepUpFactor, Readonly<{ title: string; request: string; action: string; decline: string }>>
> = {
  second_factor: {
    title: "Confirm with a second factor",
    request: "a sign-in with two factors",
    action: "confirm your second factor",
    decline: "Continue without a second factor",
  },
  passkey: {
    title: "Confirm with a passkey",
    request: "a sign-in with a passkey",
    action: "use your passkey",
    decline: "Continue without a passkey",
  },
};

export const requestedFactorTitle = ({ factor }: RequestedFactor): string => TEXTS[factor].title;

type Props = Readonly<{ requested: RequestedFactor; client: string | null; username: string }>;

/** Shows which application requests the factor, and how the user continues. */
export const RequestedFactorText = ({ requested, client, username }: Props) => (
  <p className="-mt-2 text-center wrap-anywhere text-muted">
    {client === null ? "The application" : <bdi className="font-semibold text-ink">{client}</bdi>}{" "}
    {requested.isRequired ? "requires" : "asks for"} {TEXTS[requested.factor].request}. You are signed in as{" "}
    <bdi>@{username}</bdi>. To continue, {TEXTS[requested.factor].action}.
  </p>
);

/**
 * The link with which the user continues without the requested factor. An application that requires the
 * factor then gets an error.
 */
export const DeclineFactor = ({
  requested,
  declineAt,
}: Pick<Props, "requested"> & Readonly<{ declineAt: string }>) => (
  <p className="text-center text-small">
    <a href={declineAt}>
      {requested.isRequired ? "Cancel and return to the application" : TEXTS[requested.factor].decline}
    </a>
  </p>
);
