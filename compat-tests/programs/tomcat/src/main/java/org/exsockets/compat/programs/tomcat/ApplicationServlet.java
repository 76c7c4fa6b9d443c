package org.exsockets.compat.programs.tomcat;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.exsockets.compat.programs.driver.WebApplication;

/** The web application. What is large goes into a file first, which Tomcat sends by itself where it can. */
final class ApplicationServlet extends HttpServlet {
    private static final long serialVersionUID = 1;

    /** From this length on Tomcat's own documents are sent that way, too. */
    private static final int FILE_BYTES = 48 * 1024;

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        byte[] body = request.getInputStream().readAllBytes();
        WebApplication.Answer answer = WebApplication.answer(request.getMethod(), request.getRequestURI(), body);
        response.setStatus(answer.status());
        response.setContentLength(answer.body().length);
        if (answer.body().length >= FILE_BYTES
                && Boolean.TRUE.equals(request.getAttribute("org.apache.tomcat.sendfile.support"))) {
            Path file = Files.write(Files.createTempFile("body", ""), answer.body());
            request.setAttribute("org.apache.tomcat.sendfile.filename", file.toString());
            request.setAttribute("org.apache.tomcat.sendfile.start", 0L);
            request.setAttribute("org.apache.tomcat.sendfile.end", (long) answer.body().length);
        } else {
            response.getOutputStream().write(answer.body());
        }
    }
}
