export { answerGit as GET, answerGit as POST } from "@/git/smart-http";
