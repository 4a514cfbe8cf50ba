export { getAvatar as GET } from "@/identity/users/avatar";
