// `npm run generate` writes this file from schema/openapi.json.

export interface paths {
    "/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The wiki and this API
         * @description Returns the name, languages and license of the wiki, and the endpoints and limits of this API.
         */
        get: operations["getWiki"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/pages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Live pages by path
         * @description Lists the live pages of one language and one namespace, sorted by the bytes of their paths; or, with `path`, the pages that you name.
         */
        get: operations["listPages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/pages/{path}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * History of a page
         * @description Lists the accepted edits of a page, newest first, or oldest first.
         */
        get: operations["listPageHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/pages/{path}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One page
         * @description Returns a live page: its text, last accepted edit, categories and translations. With `include=sections`, it returns the outline of the page, and with `section` one section of it. Send `Accept: text/markdown` to get the Markdown itself instead of JSON.
         */
        get: operations["getPage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/revisions/{id}/diff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What an edit changed
         * @description Compares the text of a revision with that of the revision before it, or with any other revision, line by line. If the texts differ too much to compare all lines, the only hunk lists the old lines from the first change to the last as removed, and the new ones as added. If there is too much to list, the only hunk has no lines (`truncated`). With `from`, the differences never change, so caches keep the response for a day, with `page` as it was.
         */
        get: operations["getRevisionDiff"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/revisions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One revision
         * @description Returns an accepted edit of a live page, with the text of the page after that edit. Send `Accept: text/markdown` to get the Markdown itself instead of JSON.
         */
        get: operations["getRevision"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search pages
         * @description Searches titles and texts, and returns the matching pages with excerpts, best match first. Pages whose title matches come first, then pages that match all words or the words that say most. You can use `"a phrase"`, `or` and `-without`. The search also finds titles by their beginning, and titles with one typo. Case and accents do not matter. A query without words returns no results.
         */
        get: operations["searchPages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/suggest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Suggest pages while somebody types
         * @description Returns pages whose title begins with a text, for a search field: first the page with this title, then pages with many edits. Pages follow whose title has the text at the beginning of a later word, then pages of whose title words begin with its words, in any order. A redirect, or another name of a page that begins so, stands for the page. If there are too few such pages, pages follow whose title begins with the text, or has it as a whole later word, but for one typo: a wrong letter, a missing or additional one, or two swapped letters. Pages that describe categories are not returned. Case and accents do not matter. A text without letters and digits returns nothing.
         */
        get: operations["listSuggestions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/recent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Recent edits
         * @description Lists the accepted edits of the whole wiki, newest first.
         */
        get: operations["listRecentEdits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/recent.atom": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Recent edits as a feed
         * @description Returns the 50 newest accepted edits as an Atom feed (RFC 4287), for feed readers. Errors are JSON.
         */
        get: operations["getRecentFeed"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/categories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Categories
         * @description Lists the categories of one language that have live pages, with how many, sorted by the bytes of their keys.
         */
        get: operations["listCategories"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/categories/{key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Pages of a category
         * @description Lists the live pages of a category, sorted by the bytes of their sort keys.
         */
        get: operations["listCategoryPages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Links to or from a page
         * @description Lists the pages that link to a page (`to`), or the pages to which a page links (`from`), sorted by the bytes of their languages and paths. Send one of these two parameters. A page that links to another one several times is listed once. A page that does not exist can have links to it.
         */
        get: operations["listLinks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Files by path
         * @description Lists the pictures and documents that live pages show or link, sorted by the bytes of their paths. The `url` of a file leads to its bytes. A file that no live page uses is not public, and does not appear.
         */
        get: operations["listFiles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/files/{path}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One file
         * @description Returns a picture or a document that live pages show or link: where its bytes are, and which pages use it. A file that no live page uses is not public, and answers 404.
         */
        get: operations["getFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Changes, for a copy of the wiki
         * @description Lists each page at its last change, and each address that has no page any more, oldest change first. Read from the beginning to the end, and you have a copy of the wiki. Then ask with the stored `cursor` from time to time: you get everything that appeared, changed, moved or vanished since. A page appears once, as it is now. An address at which guests never saw a page does not appear. Send `Accept: text/event-stream` to get the changes as server-sent events, as they happen, without an end: `event` is `upsert` or `gone`, `id` a cursor, and `data` an item of the list as JSON. The stream starts after the cursor in the header `Last-Event-ID`, or else after `after`.
         */
        get: operations["listChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * This document
         * @description The OpenAPI description of this API, for client generators and other programs.
         */
        get: operations["getOpenapi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description The body of every error. */
        ErrorAnswer: {
            error: components["schemas"]["ErrorDetail"];
        };
        /** @description The details of an error. */
        ErrorDetail: {
            code: components["schemas"]["ErrorCode"];
            /** @description The error for people. It names the invalid parameter, if there is one. */
            message: string;
        };
        /** @description The kind of error, for programs. One of `bad_parameter`, `not_found`, `method_not_allowed`, `rate_limited`, `internal`, `unavailable`. Later versions may add values. */
        ErrorCode: string;
        /** @description The wiki, its languages, and the endpoints and limits of this API. */
        Wiki: {
            /** @description Name of the wiki. */
            name: string;
            /**
             * @description Version of this API.
             * @constant
             */
            version: "1";
            /**
             * Format: uri
             * @description URL of the wiki in the default language of the requested host.
             */
            url: string;
            /** @description Language code in lower case. */
            locale: string;
            locales: components["schemas"]["Locale"][];
            namespaces: components["schemas"]["Namespace"][];
            /**
             * Format: uri
             * @description URL of the license of the content. If it is unknown, it ends with `#an-unknown-license`: the URL of a text that says so.
             */
            license: string;
            /** @description How to credit the wiki if you use its content. */
            attribution: string;
            software: components["schemas"]["Software"];
            limits: components["schemas"]["Limits"];
            /** @description Absolute URI templates (RFC 6570) of the endpoints, by name. */
            endpoints: {
                [key: string]: string;
            };
            /**
             * Format: uri
             * @description URL of the OpenAPI document.
             */
            openapi: string;
            /**
             * Format: uri
             * @description URL of the documentation.
             */
            docs: string;
        };
        /** @description A language of the wiki. */
        Locale: {
            /** @description Language code in lower case. */
            locale: string;
            /** @description Name of the language, in that language. */
            name: string;
            /**
             * Format: uri
             * @description URL of the wiki in this language.
             */
            url: string;
        };
        /** @description A namespace whose pages can be listed. */
        Namespace: {
            ns: components["schemas"]["ListedNamespace"];
            /** @description Prefix of the paths in this namespace. Empty for `main`. */
            prefix: string;
        };
        /** @description Namespace whose pages can be listed. One of `main`, `template`, `page_template`, `module`. Later versions may add values. */
        ListedNamespace: string;
        /** @description What serves this API. */
        Software: {
            /** @description Name of the software: `Lectern`. */
            name: string;
            /** @description Version of the software, such as `1.4.0`. */
            version: string;
        };
        /** @description Limits of this instance. */
        Limits: {
            /** @description Requests per minute for each network address. 0 means no limit. */
            requests_per_minute: number;
            /** @description Maximum of the parameter `limit` in lists. */
            list_limit_max: number;
            /** @description Maximum of the parameter `limit` in searches. */
            search_limit_max: number;
            /** @description How long responses may be cached, seconds. */
            cache_seconds: number;
            /** @description Length of the body of a list with `include`, bytes. A part of a list ends early instead of being longer, unless one item alone is. */
            list_bytes_max: number;
            /** @description How many streams of changes a process of this instance serves at a time. It responds to further ones with 503. */
            streams_max: number;
        };
        /** @description One part of the list of pages. */
        PageList: {
            items: (components["schemas"]["PageItem"] | components["schemas"]["MissingPage"])[];
            /** @description Cursor of the next part of the list. Empty at the end of the list. */
            next: string;
        };
        /** @description A page in a list. */
        PageItem: {
            /** @description Path of the page, with its namespace prefix if it has one. */
            path: string;
            /** @description Title of the page. */
            title: string;
            /** @description Language code in lower case. */
            locale: string;
            ns: components["schemas"]["PageNamespace"];
            /**
             * Format: uri
             * @description Link to the page on the wiki.
             */
            url: string;
            revision: components["schemas"]["RevisionReference"];
            /** @description Text in Markdown. Its links are as the wiki writes them. To find the page of one without a scheme, resolve it like a URL at `/{path}` of its page, and decode it. If the link begins with a slash and a language of the wiki, as `/en/tea`, that is its `locale`, and the rest its path. Cut a last `.md`, then a last `/index`. HTML and `include=links` have resolved links. Present if `include` names it. */
            markdown?: string;
            /** @description Text as sanitized HTML with absolute URLs. Present if `include` names it. */
            html?: string;
            /** @description Plain text without markup. Present if `include` names it. */
            text?: string;
            /** @description Plain text of the beginning, at most 500 UTF-16 code units. Present if `include` names it. */
            summary?: string;
            /** @description The outline of the text. Present if `include` names it. */
            sections?: components["schemas"]["Section"][];
            /** @description Properties of a note of Obsidian, without its title, tags and aliases; empty for other pages. Present if `include` names it. */
            properties?: components["schemas"]["Property"][];
            /** @description Categories of the page. Present if `include` names it. */
            categories?: components["schemas"]["CategoryReference"][];
            /** @description The page in other languages. Present if `include` names it. */
            translations?: components["schemas"]["Translation"][];
            links?: components["schemas"]["LinkList"];
            contributors?: components["schemas"]["Contributors"];
            /** @description Files that the page shows or links. Present if `include` names it. */
            files?: components["schemas"]["PageFile"][];
            position?: number | null;
            group_title?: string | null;
            group_titles?: string[];
            nav_title?: string | null;
        };
        /** @description Namespace of a page. One of `main`, `template`, `page_template`, `module`, `category`. Later versions may add values. */
        PageNamespace: string;
        /** @description The last accepted edit of a page. */
        RevisionReference: {
            /**
             * Format: uuid
             * @description Id of the revision.
             */
            id: string;
            /**
             * Format: date-time
             * @description Date and time in UTC, with microseconds.
             */
            created_at: string;
            author: components["schemas"]["Author"];
        };
        /** @description The author of an edit. */
        Author: {
            /** @description Display name. */
            name: string;
        };
        /** @description A heading of a page, and what belongs to it. */
        Section: {
            /** @description Id of the heading in the HTML, for the parameter `section`. Empty for what stands before the first heading. */
            id: string;
            /** @description 1 to 6: the level of the heading. 0 for what stands before the first heading. */
            level: number;
            /** @description Text of the heading, without markup. */
            title: string;
            /** @description Where the section begins in the Markdown, in UTF-16 code units. */
            start: number;
            /** @description Where the section ends (exclusive), with its subsections, in UTF-16 code units of the Markdown. */
            end: number;
        };
        /** @description A property of a note. */
        Property: {
            /** @description Its name. */
            name: string;
            /** @description Plain text, a number or a boolean, or a list of these. */
            value: (string | number | boolean) | (string | number | boolean)[];
        };
        /** @description A category of the wiki. */
        CategoryReference: {
            /** @description Key of the category: the part of its path after `category:`. */
            key: string;
            /** @description Display name. */
            name: string;
            /**
             * Format: uri
             * @description Link to the category on the wiki.
             */
            url: string;
        };
        /** @description The page in another language. */
        Translation: {
            /** @description Language code in lower case. */
            locale: string;
            /** @description Path of the page, with its namespace prefix if it has one. */
            path: string;
            /** @description Title of the page. */
            title: string;
            /**
             * Format: uri
             * @description Link to the translation on the wiki.
             */
            url: string;
        };
        /** @description One part of the list of links. */
        LinkList: {
            items: components["schemas"]["LinkItem"][];
            /** @description Cursor of the next part of the list. Empty at the end of the list. */
            next: string;
        };
        /** @description A page that links to the page, or to which the page links. */
        LinkItem: {
            /** @description Path of the page, with its namespace prefix if it has one. */
            path: string;
            /** @description Title of the page. Null if the page does not exist. */
            title: string | null;
            /** @description Language code in lower case. */
            locale: string;
            ns: components["schemas"]["PageNamespace"];
            /**
             * Format: uri
             * @description Link to the page on the wiki, also if the page does not exist.
             */
            url: string;
            /** @description Whether the page exists. */
            exists: boolean;
            /** @description Whether the page is a redirect: its text is nothing but a link to another page. */
            redirect: boolean;
        };
        /** @description The authors of a page: those with the most accepted edits first, at most 100. */
        Contributors: {
            /** @description How many authors the page has. */
            total: number;
            items: components["schemas"]["Contributor"][];
        };
        /** @description An author of a page. */
        Contributor: {
            /** @description Display name. */
            name: string;
            /** @description How many accepted edits of the page they made. */
            edits: number;
            /**
             * Format: date-time
             * @description Date and time in UTC, with microseconds.
             */
            last_at: string;
        };
        /** @description A file that a page shows or links. */
        PageFile: {
            /** @description Path of the file from the root of its source. */
            path: string;
            /**
             * Format: uri
             * @description The bytes. Another hash is another URL; a file that is withdrawn answers 404.
             */
            url: string;
            /** @description Media type, decided by the content, such as `image/png`. */
            media_type: string;
            /** @description Length of the file, bytes. */
            bytes: number;
            /** @description SHA-256 of the bytes, hexadecimal. */
            sha256: string;
        };
        /** @description A path of the request that has no live page. */
        MissingPage: {
            /** @description Path of the page, with its namespace prefix if it has one. */
            path: string;
            /**
             * @description The wiki has no live page at this path.
             * @constant
             */
            missing: true;
            moved_to?: components["schemas"]["PageReference"];
        };
        /** @description A page, without its text. */
        PageReference: {
            /** @description Path of the page, with its namespace prefix if it has one. */
            path: string;
            /** @description Title of the page. */
            title: string;
            /** @description Language code in lower case. */
            locale: string;
            ns: components["schemas"]["PageNamespace"];
            /**
             * Format: uri
             * @description Link to the page on the wiki.
             */
            url: string;
        };
        /** @description One part of the history of a page. */
        HistoryList: {
            items: components["schemas"]["HistoryItem"][];
            /** @description Cursor of the next part of the list: an RFC 3339 date-time for `before`, or with `order=asc` a text for `after`. Empty at the end of the list. */
            next: string;
        };
        /** @description An accepted edit. */
        HistoryItem: {
            /**
             * Format: uuid
             * @description Id of the revision.
             */
            id: string;
            /**
             * Format: date-time
             * @description Date and time in UTC, with microseconds.
             */
            created_at: string;
            author: components["schemas"]["Author"];
            /** @description The author's summary of the edit. It can be empty. */
            comment: string;
            /** @description Size of the Markdown in UTF-8, bytes. */
            size: number;
            /**
             * Format: uri
             * @description URL of the revision in this API.
             */
            url: string;
            /**
             * Format: uuid
             * @description Id of the accepted edit before this one. Null for the first edit of the page. Present if `include` names it.
             */
            parent?: string | null;
            /** @description Size of that edit, bytes. With `parent`. */
            parent_size?: number | null;
            /** @description Text in Markdown. Its links are as the wiki writes them. To find the page of one without a scheme, resolve it like a URL at `/{path}` of its page, and decode it. If the link begins with a slash and a language of the wiki, as `/en/tea`, that is its `locale`, and the rest its path. Cut a last `.md`, then a last `/index`. HTML and `include=links` have resolved links. Present if `include` names it. */
            markdown?: string;
            /** @description Text as sanitized HTML with absolute URLs. Present if `include` names it. */
            html?: string;
            /** @description Plain text without markup. Present if `include` names it. */
            text?: string;
            /** @description Plain text of the beginning, at most 500 UTF-16 code units. Present if `include` names it. */
            summary?: string;
            /** @description The outline of the text. Present if `include` names it. */
            sections?: components["schemas"]["Section"][];
            /** @description Properties of a note of Obsidian, without its title, tags and aliases; empty for other pages. Present if `include` names it. */
            properties?: components["schemas"]["Property"][];
        };
        /** @description A live page at its last accepted edit. */
        Page: {
            /** @description Path of the page, with its namespace prefix if it has one. */
            path: string;
            /** @description Title of the page. */
            title: string;
            /** @description Language code in lower case. */
            locale: string;
            ns: components["schemas"]["PageNamespace"];
            /**
             * Format: uri
             * @description Link to the page on the wiki.
             */
            url: string;
            revision: components["schemas"]["RevisionReference"];
            categories: components["schemas"]["CategoryReference"][];
            translations: components["schemas"]["Translation"][];
            /** @description Text in Markdown. Its links are as the wiki writes them. To find the page of one without a scheme, resolve it like a URL at `/{path}` of its page, and decode it. If the link begins with a slash and a language of the wiki, as `/en/tea`, that is its `locale`, and the rest its path. Cut a last `.md`, then a last `/index`. HTML and `include=links` have resolved links. Absent with `format=html` and `format=text`. */
            markdown?: string;
            /** @description Text as sanitized HTML with absolute URLs. Present with `format=html` and `format=both`. */
            html?: string;
            /** @description Plain text without markup. Present with `format=text`. */
            text?: string;
            /** @description Plain text of the beginning, at most 500 UTF-16 code units. Present if `include` names it. */
            summary?: string;
            /** @description The outline of the text. Present if `include` names it. */
            sections?: components["schemas"]["Section"][];
            /** @description Properties of a note of Obsidian, without its title, tags and aliases; empty for other pages. Present if `include` names it. */
            properties?: components["schemas"]["Property"][];
            links?: components["schemas"]["LinkList"];
            contributors?: components["schemas"]["Contributors"];
            /** @description Files that the page shows or links. Present if `include` names it. */
            files?: components["schemas"]["PageFile"][];
            /**
             * Format: uri
             * @description URL of the license of the content. If it is unknown, it ends with `#an-unknown-license`: the URL of a text that says so.
             */
            license: string;
        };
        /** @description The differences between two revisions, line by line. */
        RevisionDiff: {
            page: components["schemas"]["PageReference"];
            /**
             * Format: uuid
             * @description Id of the revision to compare with. Null if the other one is the first of its page: then all its lines are added.
             */
            from: string | null;
            /**
             * Format: uuid
             * @description Id of the revision.
             */
            to: string;
            /** @description Number of added lines. */
            added: number;
            /** @description Number of removed lines. */
            removed: number;
            /** @description Whether the changed lines are too many or too long to list. Then the only hunk says where the first change begins and how many lines are replaced up to the last one (`added` and `removed` are these numbers), and has no lines: read the two revisions instead. */
            truncated: boolean;
            hunks: components["schemas"]["Hunk"][];
            /**
             * Format: uri
             * @description URL of the license of the content. If it is unknown, it ends with `#an-unknown-license`: the URL of a text that says so.
             */
            license: string;
        };
        /** @description Changed lines that are near each other, with up to three lines before and after them. */
        Hunk: {
            from: components["schemas"]["LineRange"];
            to: components["schemas"]["LineRange"];
            lines: components["schemas"]["HunkLine"][];
        };
        /** @description Part of a text. */
        LineRange: {
            /** @description Number of the first line, from 1. */
            line: number;
            /** @description Number of lines. */
            lines: number;
        };
        /** @description A line of a hunk. */
        HunkLine: {
            kind: components["schemas"]["HunkLineKind"];
            /** @description The line without its line feed. */
            text: string;
            /** @description What differs from the similar line that it replaces, or that replaces it: for each difference, its start and its end (exclusive) in `text`, in UTF-16 code units. Empty if no line is similar. */
            highlights: [
                number,
                number
            ][];
            /**
             * @description Present if it is the last line of its text, and has no line feed.
             * @constant
             */
            newline?: false;
        };
        /** @description Whether a line is in both texts, or only in one of them. One of `context`, `removed`, `added`. Later versions may add values. */
        HunkLineKind: string;
        /** @description An accepted edit, with the text of the page after it. */
        Revision: {
            /**
             * Format: uuid
             * @description Id of the revision.
             */
            id: string;
            /**
             * Format: date-time
             * @description Date and time in UTC, with microseconds.
             */
            created_at: string;
            author: components["schemas"]["Author"];
            /** @description The author's summary of the edit. It can be empty. */
            comment: string;
            /** @description Size of the Markdown in UTF-8, bytes. */
            size: number;
            page: components["schemas"]["PageReference"];
            /**
             * Format: uuid
             * @description Id of the accepted edit before this one. Null for the first edit of the page.
             */
            parent: string | null;
            /** @description Text in Markdown. Its links are as the wiki writes them. To find the page of one without a scheme, resolve it like a URL at `/{path}` of its page, and decode it. If the link begins with a slash and a language of the wiki, as `/en/tea`, that is its `locale`, and the rest its path. Cut a last `.md`, then a last `/index`. HTML and `include=links` have resolved links. Absent with `format=html` and `format=text`. */
            markdown?: string;
            /** @description Text as sanitized HTML with absolute URLs. Present with `format=html` and `format=both`. */
            html?: string;
            /** @description Plain text without markup. Present with `format=text`. */
            text?: string;
            /**
             * Format: uri
             * @description URL of the license of the content. If it is unknown, it ends with `#an-unknown-license`: the URL of a text that says so.
             */
            license: string;
        };
        /** @description One part of the search results, best match first. */
        SearchList: {
            items: components["schemas"]["SearchHit"][];
            /** @description Cursor of the next part of the list. Empty at the end of the list. */
            next: string;
            /** @description The query without its typo. Only present if it seems to have one that a title corrects. */
            did_you_mean?: string;
        };
        /** @description A page that matches the query, with excerpts. */
        SearchHit: {
            /** @description Path of the page, with its namespace prefix if it has one. */
            path: string;
            /** @description Title of the page. */
            title: string;
            /** @description Language code in lower case. */
            locale: string;
            ns: components["schemas"]["PageNamespace"];
            /**
             * Format: uri
             * @description Link to the page on the wiki.
             */
            url: string;
            passages: components["schemas"]["Passage"][];
            /** @description How well the page matches, falling in the order of the items. Compare scores only within one response. 1: the query is the title or path of the page. */
            score: number;
            /** @description Text in Markdown. Its links are as the wiki writes them. To find the page of one without a scheme, resolve it like a URL at `/{path}` of its page, and decode it. If the link begins with a slash and a language of the wiki, as `/en/tea`, that is its `locale`, and the rest its path. Cut a last `.md`, then a last `/index`. HTML and `include=links` have resolved links. Present if `include` names it. */
            markdown?: string;
            /** @description Text as sanitized HTML with absolute URLs. Present if `include` names it. */
            html?: string;
            /** @description Plain text without markup. Present if `include` names it. */
            text?: string;
            /** @description Plain text of the beginning, at most 500 UTF-16 code units. Present if `include` names it. */
            summary?: string;
            /** @description The outline of the text. Present if `include` names it. */
            sections?: components["schemas"]["Section"][];
            /** @description Properties of a note of Obsidian, without its title, tags and aliases; empty for other pages. Present if `include` names it. */
            properties?: components["schemas"]["Property"][];
            /** @description Categories of the page. Present if `include` names it. */
            categories?: components["schemas"]["CategoryReference"][];
            /** @description The page in other languages. Present if `include` names it. */
            translations?: components["schemas"]["Translation"][];
            links?: components["schemas"]["LinkList"];
            contributors?: components["schemas"]["Contributors"];
            /** @description Files that the page shows or links. Present if `include` names it. */
            files?: components["schemas"]["PageFile"][];
        };
        /** @description An excerpt of the page around matches. */
        Passage: {
            /** @description Heading of the section, plain text; empty before the first heading. */
            heading: string;
            /** @description Excerpt, plain text. */
            text: string;
            /** @description The matches in `text`, not those in `heading`: for each, its start and its end (exclusive), in UTF-16 code units. */
            highlights: [
                number,
                number
            ][];
        };
        /** @description Pages for what was typed, best first. The list has no further parts, so `next` is empty. */
        SuggestionList: {
            items: components["schemas"]["Suggestion"][];
            /** @description Cursor of the next part of the list. Empty at the end of the list. */
            next: string;
        };
        /** @description A page whose title begins with what was typed. */
        Suggestion: {
            /** @description Path of the page, with its namespace prefix if it has one. */
            path: string;
            /** @description Title of the page. */
            title: string;
            /** @description Language code in lower case. */
            locale: string;
            ns: components["schemas"]["PageNamespace"];
            /**
             * Format: uri
             * @description Link to the page on the wiki.
             */
            url: string;
            /** @description What was typed: its start and its end (exclusive) in `title`, in UTF-16 code units. Empty if the title of a redirect to the page, or another name of it, begins so. */
            highlights: [
                number,
                number
            ][];
        };
        /** @description One part of the recent edits. */
        RecentList: {
            items: components["schemas"]["RecentItem"][];
            /** @description Cursor of the next part of the list: an RFC 3339 date-time for `before`, or with `order=asc` a text for `after`. Empty at the end of the list. */
            next: string;
        };
        /** @description An accepted edit, with its page. */
        RecentItem: {
            /**
             * Format: uuid
             * @description Id of the revision.
             */
            id: string;
            /**
             * Format: date-time
             * @description Date and time in UTC, with microseconds.
             */
            created_at: string;
            author: components["schemas"]["Author"];
            /** @description The author's summary of the edit. It can be empty. */
            comment: string;
            /** @description Size of the Markdown in UTF-8, bytes. */
            size: number;
            /**
             * Format: uri
             * @description URL of the revision in this API.
             */
            url: string;
            /**
             * Format: uuid
             * @description Id of the accepted edit before this one. Null for the first edit of the page. Present if `include` names it.
             */
            parent?: string | null;
            /** @description Size of that edit, bytes. With `parent`. */
            parent_size?: number | null;
            /** @description Text in Markdown. Its links are as the wiki writes them. To find the page of one without a scheme, resolve it like a URL at `/{path}` of its page, and decode it. If the link begins with a slash and a language of the wiki, as `/en/tea`, that is its `locale`, and the rest its path. Cut a last `.md`, then a last `/index`. HTML and `include=links` have resolved links. Present if `include` names it. */
            markdown?: string;
            /** @description Text as sanitized HTML with absolute URLs. Present if `include` names it. */
            html?: string;
            /** @description Plain text without markup. Present if `include` names it. */
            text?: string;
            /** @description Plain text of the beginning, at most 500 UTF-16 code units. Present if `include` names it. */
            summary?: string;
            /** @description The outline of the text. Present if `include` names it. */
            sections?: components["schemas"]["Section"][];
            /** @description Properties of a note of Obsidian, without its title, tags and aliases; empty for other pages. Present if `include` names it. */
            properties?: components["schemas"]["Property"][];
            page: components["schemas"]["PageReference"];
        };
        /** @description One part of the list of categories. */
        CategoryEntryList: {
            items: components["schemas"]["CategoryEntry"][];
            /** @description Cursor of the next part of the list. Empty at the end of the list. */
            next: string;
        };
        /** @description A category with live pages. */
        CategoryEntry: {
            /** @description Key of the category: the part of its path after `category:`. */
            key: string;
            /** @description Display name. */
            name: string;
            /**
             * Format: uri
             * @description Link to the category on the wiki.
             */
            url: string;
            /** @description How many live pages it has. */
            pages: number;
        };
        /** @description One part of the list of pages of a category. */
        CategoryList: {
            items: components["schemas"]["CategoryItem"][];
            /** @description Cursor of the next part of the list. Empty at the end of the list. */
            next: string;
            category: components["schemas"]["CategoryReference"];
            /** @description How many pages the whole list has. Present if `include` names it. */
            total?: number;
        };
        /** @description A page in a category. */
        CategoryItem: {
            /** @description Path of the page, with its namespace prefix if it has one. */
            path: string;
            /** @description Title of the page. */
            title: string;
            /** @description Language code in lower case. */
            locale: string;
            ns: components["schemas"]["PageNamespace"];
            /**
             * Format: uri
             * @description Link to the page on the wiki.
             */
            url: string;
            revision: components["schemas"]["RevisionReference"];
            /** @description Text in Markdown. Its links are as the wiki writes them. To find the page of one without a scheme, resolve it like a URL at `/{path}` of its page, and decode it. If the link begins with a slash and a language of the wiki, as `/en/tea`, that is its `locale`, and the rest its path. Cut a last `.md`, then a last `/index`. HTML and `include=links` have resolved links. Present if `include` names it. */
            markdown?: string;
            /** @description Text as sanitized HTML with absolute URLs. Present if `include` names it. */
            html?: string;
            /** @description Plain text without markup. Present if `include` names it. */
            text?: string;
            /** @description Plain text of the beginning, at most 500 UTF-16 code units. Present if `include` names it. */
            summary?: string;
            /** @description The outline of the text. Present if `include` names it. */
            sections?: components["schemas"]["Section"][];
            /** @description Properties of a note of Obsidian, without its title, tags and aliases; empty for other pages. Present if `include` names it. */
            properties?: components["schemas"]["Property"][];
            /** @description Categories of the page. Present if `include` names it. */
            categories?: components["schemas"]["CategoryReference"][];
            /** @description The page in other languages. Present if `include` names it. */
            translations?: components["schemas"]["Translation"][];
            links?: components["schemas"]["LinkList"];
            contributors?: components["schemas"]["Contributors"];
            /** @description Files that the page shows or links. Present if `include` names it. */
            files?: components["schemas"]["PageFile"][];
            /** @description The text by which the list of the category is sorted. */
            sort_key: string;
        };
        /** @description One part of the list of files. */
        FileList: {
            items: components["schemas"]["FileItem"][];
            /** @description Cursor of the next part of the list. Empty at the end of the list. */
            next: string;
        };
        /** @description A file in a list. */
        FileItem: {
            /** @description Path of the file from the root of its source. */
            path: string;
            /** @description Language of the file. Null if it belongs to no language, as in most wikis. */
            locale: string | null;
            /**
             * Format: uri
             * @description The bytes. Another hash is another URL; a file that is withdrawn answers 404.
             */
            url: string;
            /** @description Media type, decided by the content, such as `image/png`. */
            media_type: string;
            /** @description Length of the file, bytes. */
            bytes: number;
            /** @description SHA-256 of the bytes, hexadecimal. */
            sha256: string;
            width: number | null;
            height: number | null;
            /** @description When the file was changed last. Null if the source does not tell it. */
            modified_at: string | null;
        };
        /** @description A picture or a document that live pages show or link. */
        WikiFile: {
            /** @description Path of the file from the root of its source. */
            path: string;
            /** @description Language of the file. Null if it belongs to no language, as in most wikis. */
            locale: string | null;
            /**
             * Format: uri
             * @description The bytes. Another hash is another URL; a file that is withdrawn answers 404.
             */
            url: string;
            /** @description Media type, decided by the content, such as `image/png`. */
            media_type: string;
            /** @description Length of the file, bytes. */
            bytes: number;
            /** @description SHA-256 of the bytes, hexadecimal. */
            sha256: string;
            width: number | null;
            height: number | null;
            /** @description When the file was changed last. Null if the source does not tell it. */
            modified_at: string | null;
            /** @description Who changed the file last. Null if the source does not tell it. */
            author: {
                /** @description Display name. */
                name: string;
            } | null;
            used_by: components["schemas"]["FileUseList"];
        };
        /** @description Pages that show or link the file, at most 50. */
        FileUseList: {
            items: components["schemas"]["PageReference"][];
            /** @description Cursor of the next part of the list. Empty at the end of the list. */
            next: string;
        };
        /** @description One part of the changes. */
        ChangeList: {
            items: components["schemas"]["Change"][];
            /** @description Cursor of the next part of the list. Empty at the end of the list. */
            next: string;
            /** @description Never empty. Store it when you have applied the items, and send it as `after` to get later changes. */
            cursor: string;
        };
        /** @description The last change of a page, or of an address that has no page any more. With `gone`, `moved_to` is the page at its new path, if the wiki knows that it moved. */
        Change: components["schemas"]["ChangedPage"] | components["schemas"]["GonePage"];
        /** @description A page that is new or has changed. */
        ChangedPage: {
            /**
             * @description What to do with your copy. `upsert`: add or replace the page. `gone`: remove it. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "upsert";
            /** @description Path of the page, with its namespace prefix if it has one. */
            path: string;
            /** @description Title of the page. */
            title: string;
            /** @description Language code in lower case. */
            locale: string;
            ns: components["schemas"]["PageNamespace"];
            /**
             * Format: uri
             * @description Link to the page on the wiki.
             */
            url: string;
            revision: components["schemas"]["RevisionReference"];
            /**
             * Format: date-time
             * @description Date and time in UTC, with microseconds.
             */
            changed_at: string;
            /** @description Text in Markdown. Its links are as the wiki writes them. To find the page of one without a scheme, resolve it like a URL at `/{path}` of its page, and decode it. If the link begins with a slash and a language of the wiki, as `/en/tea`, that is its `locale`, and the rest its path. Cut a last `.md`, then a last `/index`. HTML and `include=links` have resolved links. Present if `include` names it. */
            markdown?: string;
            /** @description Text as sanitized HTML with absolute URLs. Present if `include` names it. */
            html?: string;
            /** @description Plain text without markup. Present if `include` names it. */
            text?: string;
            /** @description Plain text of the beginning, at most 500 UTF-16 code units. Present if `include` names it. */
            summary?: string;
            /** @description The outline of the text. Present if `include` names it. */
            sections?: components["schemas"]["Section"][];
            /** @description Properties of a note of Obsidian, without its title, tags and aliases; empty for other pages. Present if `include` names it. */
            properties?: components["schemas"]["Property"][];
            /** @description Categories of the page. Present if `include` names it. */
            categories?: components["schemas"]["CategoryReference"][];
            /** @description The page in other languages. Present if `include` names it. */
            translations?: components["schemas"]["Translation"][];
            links?: components["schemas"]["LinkList"];
            contributors?: components["schemas"]["Contributors"];
            /** @description Files that the page shows or links. Present if `include` names it. */
            files?: components["schemas"]["PageFile"][];
        };
        /** @description An address that has no page any more. */
        GonePage: {
            /**
             * @description What to do with your copy. `upsert`: add or replace the page. `gone`: remove it. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "gone";
            /** @description Path of the page, with its namespace prefix if it has one. */
            path: string;
            /** @description Language code in lower case. */
            locale: string;
            ns: components["schemas"]["PageNamespace"];
            /**
             * Format: date-time
             * @description Date and time in UTC, with microseconds.
             */
            changed_at: string;
            moved_to?: components["schemas"]["PageReference"];
        };
        /** @description An OpenAPI 3.1 document. */
        OpenapiDocument: {
            /** @description Version of the OpenAPI specification. */
            openapi: string;
            info: {
                [key: string]: unknown;
            };
            paths: {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        /** @description A PageList without MissingPage: the request has no `path`. */
        LivePageList: {
            items: components["schemas"]["PageItem"][];
            /** @description Cursor of the next part of the list. Empty at the end of the list. */
            next: string;
        };
    };
    responses: {
        /** @description A parameter is invalid. The message names the parameter. Fix the request; retrying will not help. */
        BadParameter: {
            headers: {
                "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                "Access-Control-Expose-Headers": components["headers"]["Access-Control-Expose-Headers"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                Vary: components["headers"]["Vary"];
                "Lectern-Invalid-Parameters": components["headers"]["Lectern-Invalid-Parameters"];
                Link: components["headers"]["Link"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "bad_parameter",
                 *         "message": "limit: must be a whole number from 1 to 200"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ErrorAnswer"];
            };
        };
        /** @description The page, revision, category or URL does not exist. */
        NotFound: {
            headers: {
                "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                "Access-Control-Expose-Headers": components["headers"]["Access-Control-Expose-Headers"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                Vary: components["headers"]["Vary"];
                Link: components["headers"]["Link"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                "Lectern-Invalid-Parameters": components["headers"]["Lectern-Invalid-Parameters"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "not_found",
                 *         "message": "There is no such page in this language (en)."
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ErrorAnswer"];
            };
        };
        /** @description The API takes GET, HEAD and OPTIONS. */
        MethodNotAllowed: {
            headers: {
                "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                "Access-Control-Expose-Headers": components["headers"]["Access-Control-Expose-Headers"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                Vary: components["headers"]["Vary"];
                Allow: components["headers"]["Allow"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "method_not_allowed",
                 *         "message": "This API is read-only. Use GET, HEAD or OPTIONS."
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ErrorAnswer"];
            };
        };
        /** @description Too many requests. Wait as long as `Retry-After` says. */
        RateLimited: {
            headers: {
                "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                "Access-Control-Expose-Headers": components["headers"]["Access-Control-Expose-Headers"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                Vary: components["headers"]["Vary"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "rate_limited",
                 *         "message": "Too many requests. Wait 12 s, then slow down."
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ErrorAnswer"];
            };
        };
        /** @description URL and headers have more than 16 KB. */
        TooLong: {
            headers: {
                "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                "Access-Control-Expose-Headers": components["headers"]["Access-Control-Expose-Headers"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                Vary: components["headers"]["Vary"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "bad_parameter",
                 *         "message": "The request line and the headers are too long."
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ErrorAnswer"];
            };
        };
        /** @description A defect of the service. It has been logged. */
        Internal: {
            headers: {
                "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                "Access-Control-Expose-Headers": components["headers"]["Access-Control-Expose-Headers"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                Vary: components["headers"]["Vary"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "internal",
                 *         "message": "Internal error. It has been logged; quote the X-Request-Id when you report it."
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ErrorAnswer"];
            };
        };
        /** @description The wiki is temporarily unavailable, or the service is overloaded. Wait as long as `Retry-After` says, then try again. */
        Unavailable: {
            headers: {
                "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                "Access-Control-Expose-Headers": components["headers"]["Access-Control-Expose-Headers"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                Vary: components["headers"]["Vary"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "unavailable",
                 *         "message": "The wiki is temporarily unavailable. Try again in a few seconds."
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ErrorAnswer"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /**
         * @description Scripts on any website can read the response.
         * @example *
         */
        "Access-Control-Allow-Origin": "*";
        /**
         * @description The response headers that scripts on other websites can read.
         * @example Age, Allow, Deprecation, ETag, Lectern-Ignored-Parameters, Lectern-Invalid-Parameters, Link, Preference-Applied, RateLimit, RateLimit-Policy, Retry-After, Sunset, X-Request-Id
         */
        "Access-Control-Expose-Headers": string;
        /**
         * @description The methods that the URL has. Only with a 405.
         * @example GET, HEAD, OPTIONS
         */
        Allow: string;
        /**
         * @description How long you can cache the response, from now on. The time is shorter if the response comes from a cache of the service.
         * @example public, max-age=60
         */
        "Cache-Control": string;
        /**
         * @description The language of the content. Absent if the response covers several languages.
         * @example en
         */
        "Content-Language": string;
        /**
         * @description Identifies this version of the response. Send it as `If-None-Match` to get a 304 if nothing has changed.
         * @example W/"1a2-pSi0yNGbSsWFkUWxZpnrQ7Yn6F4"
         */
        ETag: string;
        /**
         * @description The parameters of the request that the endpoint does not have, encoded as in a URL. `known` is a parameter that differs by one letter, or the beginning of this one. Absent if there are none.
         * @example limt;known=limit
         */
        "Lectern-Ignored-Parameters": string;
        /**
         * @description The invalid parameters of the request, with a 400, and a 404 of `from`.
         * @example limit, ns
         */
        "Lectern-Invalid-Parameters": string;
        /**
         * @description The license of the content (`rel="license"`), if it is known. In a list, also the URL of the next part (`rel="next"`). With a 400 or 404, the reference of the endpoint (`rel="help"`). With a 404, also the URL of the page at its new path, if it moved (`rel="successor-version"`), in other languages (`rel="alternate"`), or the one that may be meant (`rel="related"`). Of the base URL, also this document (`rel="service-desc"`) and the reference (`rel="service-doc"`).
         * @example <https://creativecommons.org/licenses/by-sa/4.0/>; rel="license"
         */
        Link: string;
        /**
         * @description Tells that `Prefer: handling=strict` of the request was obeyed.
         * @example handling=strict
         */
        "Preference-Applied": string;
        /**
         * @description Remaining requests in the current window (`r`), and seconds until the window ends (`t`). Absent if there is no limit.
         * @example "default";r=599;t=60
         */
        RateLimit: string;
        /**
         * @description Allowed requests (`q`) in a window, and the length of the window in seconds (`w`). Absent if there is no limit.
         * @example "default";q=600;w=60
         */
        "RateLimit-Policy": string;
        /**
         * @description How many seconds to wait before the next request.
         * @example 12
         */
        "Retry-After": number;
        /**
         * @description The request headers that the response depends on.
         * @example Accept-Encoding
         */
        Vary: string;
        /**
         * @description Identifies the request in the log of the service. It is the `X-Request-Id` of the request, if that has one.
         * @example b6a5c0de-6d3c-4a5f-9c53-0f3e2a1d4b5c
         */
        "X-Request-Id": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getWiki: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    "Access-Control-Expose-Headers": components["headers"]["Access-Control-Expose-Headers"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "Lectern-Ignored-Parameters": components["headers"]["Lectern-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Wiki"];
                };
            };
            /** @description Nothing has changed since the response with the `ETag` in `If-None-Match`. */
            304: {
                headers: {
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    "Access-Control-Expose-Headers": components["headers"]["Access-Control-Expose-Headers"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "Lectern-Ignored-Parameters": components["headers"]["Lectern-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadParameter"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["TooLong"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listPages: {
        parameters: {
            query?: {
                /** @description Namespace of the pages. */
                ns?: "main" | "template" | "page_template" | "module";
                /**
                 * @description Language of the content. Default: the language of the host that you call.
                 * @example en
                 */
                locale?: string;
                /** @description Return only pages whose path begins with this text, such as `guides/`. */
                prefix?: string;
                /** @description Maximum number of items to return. */
                limit?: number;
                /** @description Return only pages whose path is after this one. Use `next` of the previous response. */
                after?: string;
                /**
                 * @description Further fields to return: their names in one text, with commas between them.
                 * @example [
                 *       "markdown"
                 *     ]
                 */
                include?: ("markdown" | "html" | "text" | "summary" | "sections" | "properties" | "categories" | "translations" | "links" | "contributors" | "files")[];
                /** @description Return the page with this path, with its namespace prefix if it has one. Repeat the parameter for up to 50 pages, while URL and headers have at most 16 KB: they come in the order of the request, each once, whatever their namespaces are. For a page that does not exist, the item has the path, `missing` and, if the page moved, `moved_to`. */
                path?: string[];
                /** @description Return also the place of each page in the order of its site, and the title of its group there. */
                position?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    "Access-Control-Expose-Headers": components["headers"]["Access-Control-Expose-Headers"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "Lectern-Ignored-Parameters": components["headers"]["Lectern-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PageList"];
                };
            };
            /** @description Nothing has changed since the response with the `ETag` in `If-None-Match`. */
            304: {
                headers: {
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    "Access-Control-Expose-Headers": components["headers"]["Access-Control-Expose-Headers"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "Lectern-Ignored-Parameters": components["headers"]["Lectern-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadParameter"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["TooLong"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listPageHistory: {
        parameters: {
            query?: {
                /**
                 * @description Language of the content. Default: the language of the host that you call.
                 * @example en
                 */
                locale?: string;
                /** @description Maximum number of items to return. */
                limit?: number;
                /**
                 * @description Return only edits before this time, an RFC 3339 date-time or date (UTC). Use `next` of the previous response: it also works between edits that have the same time, where it is a millisecond soon after that time. You can store it in a date type that has microseconds.
                 * @example 2025-05-02T15:50:37.041876Z
                 */
                before?: string;
                /** @description Return only edits from this RFC 3339 date-time or date (UTC) on. */
                since?: string;
                /** @description Return only edits before this RFC 3339 date-time or date, in all parts. */
                until?: string;
                /** @description Newest or, with `asc`, oldest edit first. */
                order?: "desc" | "asc";
                /** @description With `order=asc`, return only later edits: `next` of the previous response. */
                after?: string;
                /**
                 * @description Further fields to return: their names in one text, with commas between them.
                 * @example [
                 *       "markdown"
                 *     ]
                 */
                include?: ("markdown" | "html" | "text" | "summary" | "sections" | "properties" | "parent")[];
            };
            header?: never;
            path: {
                /**
                 * @description Path of the page, with its namespace prefix if it has one. You can send a slash as it is or as `%2F`, but the slash of a path that ends in `/history` must be `%2F`.
                 * @example sencha
                 */
                path: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    "Access-Control-Expose-Headers": components["headers"]["Access-Control-Expose-Headers"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "Lectern-Ignored-Parameters": components["headers"]["Lectern-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HistoryList"];
                };
            };
            /** @description Nothing has changed since the response with the `ETag` in `If-None-Match`. */
            304: {
                headers: {
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    "Access-Control-Expose-Headers": components["headers"]["Access-Control-Expose-Headers"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "Lectern-Ignored-Parameters": components["headers"]["Lectern-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadParameter"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["TooLong"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getPage: {
        parameters: {
            query?: {
                /**
                 * @description Language of the content. Default: the language of the host that you call.
                 * @example en
                 */
                locale?: string;
                /** @description Format of the text: Markdown, HTML, both, or plain text without markup. */
                format?: "markdown" | "html" | "both" | "text";
                /** @description Return only this section of the text, with its subsections. The value is an `id` of `sections`: the id of the heading in the HTML, or an empty text for what stands before the first heading. */
                section?: string;
                /**
                 * @description Further fields to return: their names in one text, with commas between them.
                 * @example [
                 *       "markdown"
                 *     ]
                 */
                include?: ("markdown" | "html" | "text" | "summary" | "sections" | "properties" | "categories" | "translations" | "links" | "contributors" | "files")[];
            };
            header?: never;
            path: {
                /**
                 * @description Path of the page, with its namespace prefix if it has one. You can send a slash as it is or as `%2F`, but the slash of a path that ends in `/history` must be `%2F`.
                 * @example sencha
                 */
                path: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    "Access-Control-Expose-Headers": components["headers"]["Access-Control-Expose-Headers"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "Lectern-Ignored-Parameters": components["headers"]["Lectern-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page"];
                };
            };
            /** @description Nothing has changed since the response with the `ETag` in `If-None-Match`. */
            304: {
                headers: {
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    "Access-Control-Expose-Headers": components["headers"]["Access-Control-Expose-Headers"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "Lectern-Ignored-Parameters": components["headers"]["Lectern-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadParameter"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["TooLong"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getRevisionDiff: {
        parameters: {
            query?: {
                /** @description Id of the revision to compare with. It can be of another page. Default: the accepted edit before this one; for the first edit of a page, an empty text. */
                from?: string;
                /** @description Format of the response: JSON, or the text of a patch in the unified format, which `git apply` and `patch` read. */
                format?: "json" | "unified";
            };
            header?: never;
            path: {
                /**
                 * @description Id of the revision.
                 * @example b5250365-b0ff-49df-be05-9a646457bfc1
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    "Access-Control-Expose-Headers": components["headers"]["Access-Control-Expose-Headers"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "Lectern-Ignored-Parameters": components["headers"]["Lectern-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RevisionDiff"];
                };
            };
            /** @description Nothing has changed since the response with the `ETag` in `If-None-Match`. */
            304: {
                headers: {
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    "Access-Control-Expose-Headers": components["headers"]["Access-Control-Expose-Headers"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "Lectern-Ignored-Parameters": components["headers"]["Lectern-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadParameter"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["TooLong"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getRevision: {
        parameters: {
            query?: {
                /** @description Format of the text: Markdown, HTML, both, or plain text without markup. */
                format?: "markdown" | "html" | "both" | "text";
            };
            header?: never;
            path: {
                /**
                 * @description Id of the revision.
                 * @example b5250365-b0ff-49df-be05-9a646457bfc1
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    "Access-Control-Expose-Headers": components["headers"]["Access-Control-Expose-Headers"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "Lectern-Ignored-Parameters": components["headers"]["Lectern-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Revision"];
                };
            };
            /** @description Nothing has changed since the response with the `ETag` in `If-None-Match`. */
            304: {
                headers: {
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    "Access-Control-Expose-Headers": components["headers"]["Access-Control-Expose-Headers"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "Lectern-Ignored-Parameters": components["headers"]["Lectern-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadParameter"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["TooLong"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    searchPages: {
        parameters: {
            query?: {
                /**
                 * @description The words to search for.
                 * @example steamed leaves
                 */
                q?: string;
                /**
                 * @description Language of the content. Default: the language of the host that you call.
                 * @example en
                 */
                locale?: string;
                /** @description Search all languages, and ignore `locale`. */
                all?: boolean;
                /** @description Return only pages of this namespace. Default: all but categories. */
                ns?: "main" | "template" | "page_template" | "module";
                /** @description Return only pages of the category with this key. Empty: all. */
                category?: string;
                /** @description Return only pages whose path begins with this text, such as `guides/`. */
                prefix?: string;
                /** @description Maximum number of items to return. */
                limit?: number;
                /** @description How many results to skip, at most 1000. Send `next` of the previous response, as a number. `next` is empty if the next offset would be larger. */
                offset?: number;
                /**
                 * @description Further fields to return: their names in one text, with commas between them.
                 * @example [
                 *       "markdown"
                 *     ]
                 */
                include?: ("markdown" | "html" | "text" | "summary" | "sections" | "properties" | "categories" | "translations" | "links" | "contributors" | "files")[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    "Access-Control-Expose-Headers": components["headers"]["Access-Control-Expose-Headers"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "Lectern-Ignored-Parameters": components["headers"]["Lectern-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SearchList"];
                };
            };
            /** @description Nothing has changed since the response with the `ETag` in `If-None-Match`. */
            304: {
                headers: {
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    "Access-Control-Expose-Headers": components["headers"]["Access-Control-Expose-Headers"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "Lectern-Ignored-Parameters": components["headers"]["Lectern-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadParameter"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["TooLong"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSuggestions: {
        parameters: {
            query?: {
                /**
                 * @description What was typed.
                 * @example senc
                 */
                q?: string;
                /**
                 * @description Language of the content. Default: the language of the host that you call.
                 * @example en
                 */
                locale?: string;
                /** @description Maximum number of items to return. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    "Access-Control-Expose-Headers": components["headers"]["Access-Control-Expose-Headers"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "Lectern-Ignored-Parameters": components["headers"]["Lectern-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuggestionList"];
                };
            };
            /** @description Nothing has changed since the response with the `ETag` in `If-None-Match`. */
            304: {
                headers: {
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    "Access-Control-Expose-Headers": components["headers"]["Access-Control-Expose-Headers"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "Lectern-Ignored-Parameters": components["headers"]["Lectern-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadParameter"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["TooLong"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listRecentEdits: {
        parameters: {
            query?: {
                /**
                 * @description Return only this language. Default: all languages.
                 * @example en
                 */
                locale?: string;
                /** @description Return only edits by the author with this name. Empty: all. */
                author?: string;
                /** @description Return only pages of this namespace. Default: all. */
                ns?: "main" | "template" | "page_template" | "module" | "category";
                /** @description Maximum number of items to return. */
                limit?: number;
                /**
                 * @description Return only edits before this time, an RFC 3339 date-time or date (UTC). Use `next` of the previous response: it also works between edits that have the same time, where it is a millisecond soon after that time. You can store it in a date type that has microseconds.
                 * @example 2025-05-02T15:50:37.041876Z
                 */
                before?: string;
                /** @description Return only edits from this RFC 3339 date-time or date (UTC) on. */
                since?: string;
                /** @description Return only edits before this RFC 3339 date-time or date, in all parts. */
                until?: string;
                /**
                 * @description Further fields to return: their names in one text, with commas between them.
                 * @example [
                 *       "markdown"
                 *     ]
                 */
                include?: ("markdown" | "html" | "text" | "summary" | "sections" | "properties" | "parent")[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    "Access-Control-Expose-Headers": components["headers"]["Access-Control-Expose-Headers"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "Lectern-Ignored-Parameters": components["headers"]["Lectern-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecentList"];
                };
            };
            /** @description Nothing has changed since the response with the `ETag` in `If-None-Match`. */
            304: {
                headers: {
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    "Access-Control-Expose-Headers": components["headers"]["Access-Control-Expose-Headers"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "Lectern-Ignored-Parameters": components["headers"]["Lectern-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadParameter"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["TooLong"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getRecentFeed: {
        parameters: {
            query?: {
                /**
                 * @description Return only this language. Default: all languages.
                 * @example en
                 */
                locale?: string;
                /** @description Return only edits by the author with this name. Empty: all. */
                author?: string;
                /** @description Return only pages of this namespace. Default: all. */
                ns?: "main" | "template" | "page_template" | "module" | "category";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    "Access-Control-Expose-Headers": components["headers"]["Access-Control-Expose-Headers"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "Lectern-Ignored-Parameters": components["headers"]["Lectern-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/atom+xml": string;
                };
            };
            /** @description Nothing has changed since the response with the `ETag` in `If-None-Match`. */
            304: {
                headers: {
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    "Access-Control-Expose-Headers": components["headers"]["Access-Control-Expose-Headers"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "Lectern-Ignored-Parameters": components["headers"]["Lectern-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadParameter"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["TooLong"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listCategories: {
        parameters: {
            query?: {
                /**
                 * @description Language of the content. Default: the language of the host that you call.
                 * @example en
                 */
                locale?: string;
                /** @description Maximum number of items to return. */
                limit?: number;
                /** @description Return only categories whose key is after this one. Use `next` of the previous response. */
                after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    "Access-Control-Expose-Headers": components["headers"]["Access-Control-Expose-Headers"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "Lectern-Ignored-Parameters": components["headers"]["Lectern-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CategoryEntryList"];
                };
            };
            /** @description Nothing has changed since the response with the `ETag` in `If-None-Match`. */
            304: {
                headers: {
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    "Access-Control-Expose-Headers": components["headers"]["Access-Control-Expose-Headers"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "Lectern-Ignored-Parameters": components["headers"]["Lectern-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadParameter"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["TooLong"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listCategoryPages: {
        parameters: {
            query?: {
                /**
                 * @description Language of the content. Default: the language of the host that you call.
                 * @example en
                 */
                locale?: string;
                /** @description Maximum number of items to return. */
                limit?: number;
                /** @description Return only pages whose sort key is after this one. Use `next` of the previous response. */
                after?: string;
                /**
                 * @description Further fields to return: their names in one text, with commas between them.
                 * @example [
                 *       "markdown"
                 *     ]
                 */
                include?: ("markdown" | "html" | "text" | "summary" | "sections" | "properties" | "categories" | "translations" | "links" | "contributors" | "files" | "total")[];
            };
            header?: never;
            path: {
                /**
                 * @description Key of the category: the part of its path after `category:`.
                 * @example green-tea
                 */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    "Access-Control-Expose-Headers": components["headers"]["Access-Control-Expose-Headers"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "Lectern-Ignored-Parameters": components["headers"]["Lectern-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CategoryList"];
                };
            };
            /** @description Nothing has changed since the response with the `ETag` in `If-None-Match`. */
            304: {
                headers: {
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    "Access-Control-Expose-Headers": components["headers"]["Access-Control-Expose-Headers"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "Lectern-Ignored-Parameters": components["headers"]["Lectern-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadParameter"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["TooLong"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listLinks: {
        parameters: {
            query?: {
                /**
                 * @description List the pages that link to the page with this path.
                 * @example gyokuro
                 */
                to?: string;
                /** @description List the pages to which the page with this path links. */
                from?: string;
                /**
                 * @description Language of the page in `to` or `from`. Listed pages can have other languages. Default: the language of the host that you call.
                 * @example en
                 */
                locale?: string;
                /** @description Return only pages of this namespace. Default: all. */
                ns?: "main" | "template" | "page_template" | "module" | "category";
                /** @description Maximum number of items to return. */
                limit?: number;
                /** @description Return only pages after this one. Use `next` of the previous response. */
                after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    "Access-Control-Expose-Headers": components["headers"]["Access-Control-Expose-Headers"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "Lectern-Ignored-Parameters": components["headers"]["Lectern-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LinkList"];
                };
            };
            /** @description Nothing has changed since the response with the `ETag` in `If-None-Match`. */
            304: {
                headers: {
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    "Access-Control-Expose-Headers": components["headers"]["Access-Control-Expose-Headers"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "Lectern-Ignored-Parameters": components["headers"]["Lectern-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadParameter"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["TooLong"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listFiles: {
        parameters: {
            query?: {
                /** @description Return only files whose path begins with this text, such as `images/`. */
                prefix?: string;
                /**
                 * @description Return only files of this media type, such as `image/png`, or of all that begin alike: `image`.
                 * @example image
                 */
                type?: string;
                /** @description Maximum number of items to return. */
                limit?: number;
                /** @description Return only files whose path is after this one. Use `next` of the previous response. */
                after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    "Access-Control-Expose-Headers": components["headers"]["Access-Control-Expose-Headers"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "Lectern-Ignored-Parameters": components["headers"]["Lectern-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileList"];
                };
            };
            /** @description Nothing has changed since the response with the `ETag` in `If-None-Match`. */
            304: {
                headers: {
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    "Access-Control-Expose-Headers": components["headers"]["Access-Control-Expose-Headers"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "Lectern-Ignored-Parameters": components["headers"]["Lectern-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadParameter"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["TooLong"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getFile: {
        parameters: {
            query?: {
                /**
                 * @description Language of the file, if the wiki has files by language. Default: the language of the host that you call.
                 * @example en
                 */
                locale?: string;
                /** @description Return only pages after this one in `used_by`: a language, a slash and a path. Use `used_by.next` of the previous response. */
                after?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Path of the file. You can send a slash as it is or as `%2F`.
                 * @example images/sencha-dry.jpg
                 */
                path: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    "Access-Control-Expose-Headers": components["headers"]["Access-Control-Expose-Headers"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "Lectern-Ignored-Parameters": components["headers"]["Lectern-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WikiFile"];
                };
            };
            /** @description Nothing has changed since the response with the `ETag` in `If-None-Match`. */
            304: {
                headers: {
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    "Access-Control-Expose-Headers": components["headers"]["Access-Control-Expose-Headers"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "Lectern-Ignored-Parameters": components["headers"]["Lectern-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadParameter"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["TooLong"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listChanges: {
        parameters: {
            query?: {
                /** @description Return only later changes. Use `cursor` of an earlier response (if that had `locale` or `ns`, send the same), or `now` for what happens from now on. A cursor does not expire. */
                after?: string;
                /**
                 * @description Return only this language, also if it no longer has pages. Default: all languages.
                 * @example en
                 */
                locale?: string;
                /** @description Return only pages of this namespace. Default: all. */
                ns?: "main" | "template" | "page_template" | "module" | "category";
                /** @description Maximum number of items to return. */
                limit?: number;
                /**
                 * @description Further fields to return: their names in one text, with commas between them.
                 * @example [
                 *       "markdown"
                 *     ]
                 */
                include?: ("markdown" | "html" | "text" | "summary" | "sections" | "properties" | "categories" | "translations" | "links" | "contributors" | "files")[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    "Access-Control-Expose-Headers": components["headers"]["Access-Control-Expose-Headers"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "Lectern-Ignored-Parameters": components["headers"]["Lectern-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangeList"];
                };
            };
            /** @description Nothing has changed since the response with the `ETag` in `If-None-Match`. */
            304: {
                headers: {
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    "Access-Control-Expose-Headers": components["headers"]["Access-Control-Expose-Headers"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["Link"];
                    "Content-Language": components["headers"]["Content-Language"];
                    "Lectern-Ignored-Parameters": components["headers"]["Lectern-Ignored-Parameters"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadParameter"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["TooLong"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getOpenapi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The OpenAPI document. */
            200: {
                headers: {
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    "Access-Control-Expose-Headers": components["headers"]["Access-Control-Expose-Headers"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenapiDocument"];
                };
            };
            /** @description Nothing has changed since the response with the `ETag` in `If-None-Match`. */
            304: {
                headers: {
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    "Access-Control-Expose-Headers": components["headers"]["Access-Control-Expose-Headers"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadParameter"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["TooLong"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
}

/** For each list, the parameter to which `next` of a part is sent. */
export const nextParameters = {
    "/pages": "after",
    "/pages/{path}/history": "before",
    "/search": "offset",
    "/recent": "before",
    "/categories": "after",
    "/categories/{key}": "after",
    "/links": "after",
    "/files": "after",
    "/changes": "after",
} as const;

/** Media types of responses that are texts. */
export const textTypes = {
    "/pages/{path}": ["text/markdown"],
    "/revisions/{id}/diff": ["text/plain"],
    "/revisions/{id}": ["text/markdown"],
    "/recent.atom": ["application/atom+xml"],
    "/changes": ["text/event-stream"],
} as const;

/** Queries whose response is a text instead of JSON. */
export interface TextQueries {
    "/revisions/{id}/diff": {"format":"unified"};
}

/** Lists that have further items with a parameter: the query and the response without it. */
export interface ListsWithoutParameter {
    "/pages": { query: { path?: undefined }; list: components["schemas"]["LivePageList"] };
}
