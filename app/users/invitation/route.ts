export { postInvitation as POST, showInvitation as GET } from "@/workspace/invitations/link-page";
