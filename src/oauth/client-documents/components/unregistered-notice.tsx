import { Notice } from "@/ui/notice";
import type { UnregisteredDetails } from "../service";

type Props = UnregisteredDetails &
  Readonly<{
    name: string;
    /** Whether a program on the computer of the user receives the authorization response. */
    returnsToComputer: boolean;
  }>;

/** Warns the user that the application is not registered, and shows who describes the application. */
export function UnregisteredNotice({ documentUrl, clientName, hasKey, name, returnsToComputer }: Props) {
  return (
    <Notice kind="warning">
      <div className="grid gap-1 text-small wrap-anywhere">
        {documentUrl === null ? (
          <p>
            This application registered itself. The name of the application is not verified. Allow access only
            if you have just started this application.
          </p>
        ) : (
          <p>
            This application is not registered here. The site <strong>{name}</strong> describes the
            application
            {clientName === null ? null : (
              <>
                {" "}
                under the name <bdi>“{clientName}”</bdi>
              </>
            )}
            : <code className="break-all">{documentUrl}</code>
          </p>
        )}
        {documentUrl !== null && !hasKey && returnsToComputer ? (
          <p>
            Any program on this computer can claim to be this application. Allow access only if you have just
            started the application.
          </p>
        ) : null}
      </div>
    </Notice>
  );
}
