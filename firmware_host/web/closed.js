// What a machine is told that may not see the arbiter's page, since no PIN is set.

import { languageChoice, speak } from "/web/i18n.js";

await speak();
languageChoice(document.querySelector("#languages"), () => {});
