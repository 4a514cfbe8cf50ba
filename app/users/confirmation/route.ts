export {
  postConfirmation as POST,
  showConfirmation as GET,
} from "@/identity/sign-in/email-confirmation-page";
