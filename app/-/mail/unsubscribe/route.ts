export { postUnsubscribe as POST, showUnsubscribe as GET } from "@/identity/notices/unsubscribe";
