/**
 * Names with capitals inside that are one word all the same, in lower case. Without this list a search for `java`, `hub`
 * or `script` would find every page about JavaScript and GitHub, and `-java` would exclude them.
 */
export const undividedNames: ReadonlySet<string> = new Set(
  `airpods bitbucket bittorrent bytedance coffeescript deepmind devops dropbox facebook fortran github gitlab
  graphql instagram javafx javascript latex linkedin livescript macbook macos mariadb mongodb mysql nosql openai
  paypal playstation postgresql powerpoint powershell pytorch sharepoint soundcloud sqlite stackoverflow
  tensorflow tiktok typescript whatsapp wifi wikipedia wordpress youtube youtuber`.split(/\s+/),
);
