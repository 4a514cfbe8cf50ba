export { postKeepAccount as POST, showKeepAccount as GET } from "@/identity/sign-in/keep-account-page";
