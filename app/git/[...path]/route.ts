export { answerGit as GET, answerGit as POST } from "@/code/git-http/smart-http";
