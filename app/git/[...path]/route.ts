export { handleGitRequest as GET, handleGitRequest as POST } from "@/code/git-http/smart-http";
