import { Notice } from "@/ui/notice";

/** Shows a notice in place of the registration form. */
export const RegistrationClosed = () => (
  <Notice kind="warning">Users cannot register applications on this server. Contact an administrator.</Notice>
);
