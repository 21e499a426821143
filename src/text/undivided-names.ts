/**
 * Names that are one word whatever their capitals, in lower case. Without them a search for `java`, `hub` or
 * `script` would find every page about JavaScript and GitHub, and `-java` would hide them.
 */
export const undividedNames: ReadonlySet<string> = new Set(
  `airpods bitbucket bittorrent bytedance coffeescript deepmind devops dropbox facebook fortran github gitlab
  graphql instagram javafx javascript latex linkedin livescript macbook macos mariadb mongodb mysql nosql openai
  paypal playstation postgresql powerpoint powershell pytorch sharepoint soundcloud sqlite stackoverflow
  tensorflow tiktok typescript whatsapp wifi wikipedia wordpress youtube youtuber`.split(/\s+/),
);
