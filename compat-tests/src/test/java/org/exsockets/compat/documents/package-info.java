/** What the documents say of each other. Reads files only. */
package org.exsockets.compat.documents;
