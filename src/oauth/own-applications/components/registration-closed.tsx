import { Notice } from "@/ui/notice";

/** Said wherever somebody could otherwise register an application. */
export const RegistrationClosed = () => (
  <Notice kind="warning">Users cannot register applications on this server. Contact an administrator.</Notice>
);
